// The agent as the desktop app's utility process runs it: the same server/, bundled as ECMAScript modules. The
// database stays a package of its own, because it loads a native file that lies beside it. All files lie in one folder,
// from which `../dist/renderer` is the UI and `../../package.json` the app's, as from server/ and its folders.
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';
import { asciiChunks } from './ascii-chunks.ts';
import { workerFiles } from './worker-files.ts';

export default defineConfig({
  plugins: [workerFiles(), asciiChunks()],
  build: {
    outDir: '.vite/build',
    emptyOutDir: false,
    target: 'node24',
    minify: false,
    lib: { entry: 'server/utility.ts', formats: ['es'], fileName: () => 'agent.mjs' },
    rolldownOptions: {
      platform: 'node',
      output: { chunkFileNames: '[name]-[hash].mjs' },
      external: ['better-sqlite3', ...builtinModules.flatMap((name) => [name, `node:${name}`])],
    },
  },
  resolve: { conditions: ['node'], mainFields: ['module', 'main'] },
});
