// The agent and its commands as one bundle: it starts in half the processor time of the sources, with 27 MB less memory, because 1,700
// files need not be found, read and kept. build/command.mjs names the folder. The database stays a package, because it loads a native file.
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';
import { asciiChunks } from './ascii-chunks.ts';
import { workerFiles } from './worker-files.ts';

export default defineConfig({
  plugins: [workerFiles(), asciiChunks()],
  build: {
    emptyOutDir: true,
    target: 'node24',
    // Stack traces in logs name functions.
    minify: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
    lib: { entry: 'server/cli.ts', formats: ['es'], fileName: () => 'cli.mjs' },
    rolldownOptions: {
      platform: 'node',
      output: { chunkFileNames: '[name]-[hash].mjs' },
      external: ['better-sqlite3', ...builtinModules.flatMap((name) => [name, `node:${name}`])],
    },
  },
  resolve: { conditions: ['node'], mainFields: ['module', 'main'] },
});
