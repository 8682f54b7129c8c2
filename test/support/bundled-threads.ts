// Of Vitest's configuration: the threads that the server starts in a test's process run from their bundles, which are read in a third less
// processor time than the sources. Most tests of the store and of the API start one.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type {} from 'vitest/config';
import { testProcesses } from '../../build/test-processes.ts';
import { workerUrl } from '../../build/worker-files.ts';

const serverFolder = path.resolve(import.meta.dirname, '../../server');

/** Not for a runner that watches the sources: it would not build the bundles again. */
export function bundledThreads(): Plugin {
  let folder: string | null = null;
  return {
    name: 'mooring:bundled-threads',
    enforce: 'pre',
    transform(code, id) {
      if (!startsThread(id, code)) return null;
      folder ??= testProcesses();
      const base = pathToFileURL(folder).href;
      return code.replace(
        workerUrl,
        (_whole, name: string) => `new URL('${base}/${path.basename(name)}.mjs')`,
      );
    },
    // The result names the newest bundles, so that none of an earlier run may be used.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id, sourceCode }) => (startsThread(id, sourceCode) ? false : undefined));
    },
  };
}

function startsThread(id: string, code: string): boolean {
  return id.startsWith(serverFolder) && id.endsWith('.ts') && code.search(workerUrl) >= 0;
}
