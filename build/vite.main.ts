// The desktop app's main process as one CommonJS file; Electron and Node are there already.
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    outDir: '.vite/build',
    emptyOutDir: false,
    target: 'node24',
    minify: false,
    lib: { entry: 'electron/main.ts', formats: ['cjs'], fileName: () => 'main.cjs' },
    rolldownOptions: {
      platform: 'node',
      external: ['electron', ...builtinModules.flatMap((name) => [name, `node:${name}`])],
    },
  },
  resolve: { conditions: ['node'], mainFields: ['module', 'main'] },
});
