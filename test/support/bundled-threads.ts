// Of Vitest's configuration: the threads that the server starts in a test's process run from their bundles, which are read in a third less
// processor time than the sources. Most tests of the store and of the API start one.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type {} from 'vitest/config';
import { testProcesses } from '../../build/test-processes.ts';
import { workerUrl } from '../../build/worker-files.ts';

const importsWorker = /import \{[^}]*\bWorker\b[^}]*\} from 'node:worker_threads'/;
const reusedThreads = path.join(import.meta.dirname, 'reused-threads.ts');
const serverFolder = path.resolve(import.meta.dirname, '../../server');

/** Not for a runner that watches the sources: it would not build the bundles again. */
export function bundledThreads(): Plugin {
  let folder: string | null = null;
  return {
    name: 'mooring:bundled-threads',
    enforce: 'pre',
    transform(code, id) {
      if (!concernsThreads(id, code)) return null;
      folder ??= testProcesses();
      const base = pathToFileURL(folder).href;
      const bundled = code.replace(
        workerUrl,
        (_whole, name: string) => `new URL('${base}/${path.basename(name)}.mjs')`,
      );
      if (!importsWorker.test(code)) return bundled;
      // On the first line, so that the lines keep their numbers.
      return `import { startThread as startReusedThread } from '${reusedThreads}';${bundled.replaceAll('new Worker(', 'startReusedThread(')}`;
    },
    // The result names the newest bundles, so that none of an earlier run may be used.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id, sourceCode }) => (concernsThreads(id, sourceCode) ? false : undefined));
    },
  };
}

/** It names the program of a thread, or starts one. */
function concernsThreads(id: string, code: string): boolean {
  if (!id.startsWith(serverFolder) || !id.endsWith('.ts')) return false;
  return code.search(workerUrl) >= 0 || importsWorker.test(code);
}
