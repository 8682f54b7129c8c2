// Bundling for Node: a worker thread's file, named as `new URL('./name.ts', import.meta.url)`, becomes a bundle beside
// the one that starts it, and the name is changed to match. Vite does this for browsers only.
import path from 'node:path';
import type { Plugin } from 'vite';

export const workerUrl = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g;

export function workerFiles(): Plugin {
  return {
    name: 'mooring:worker-files',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.ts') || code.search(workerUrl) < 0) return null;
      return code.replace(workerUrl, (_whole, name: string) => {
        const fileName = `${path.basename(name)}.mjs`;
        this.emitFile({ type: 'chunk', id: path.resolve(path.dirname(id), `${name}.ts`), fileName });
        return `new URL(/* @vite-ignore */ './${fileName}', import.meta.url)`;
      });
    },
  };
}
