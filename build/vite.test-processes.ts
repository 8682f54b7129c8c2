// The programs that tests start as processes of their own, as bundles with what they share: such a process starts in half the processor time
// of the sources. test-processes.ts builds and names them.
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';
import { asciiChunks } from './ascii-chunks.ts';
import { processNames } from './test-processes.ts';
import { workerFiles } from './worker-files.ts';

export default defineConfig({
  plugins: [workerFiles(), asciiChunks()],
  build: {
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
    lib: {
      entry: Object.fromEntries(processNames.map((name) => [name, `test/support/${name}.ts`])),
      formats: ['es'],
      fileName: (_format, name) => `${name}.mjs`,
    },
    rolldownOptions: {
      platform: 'node',
      output: { chunkFileNames: '[name]-[hash].mjs' },
      external: ['better-sqlite3', ...builtinModules.flatMap((name) => [name, `node:${name}`])],
    },
  },
  resolve: { conditions: ['node'], mainFields: ['module', 'main'] },
});
