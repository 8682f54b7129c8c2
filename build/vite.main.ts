// The desktop app's main process as one CommonJS file, with electron-updater in it and the icons beside it; Electron and
// Node are there already.
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const iconFolder = path.join(import.meta.dirname, 'icons');

/** Those that are shown while the app runs; the others belong to the installers. */
function icons(): Plugin {
  return {
    name: 'mooring:icons',
    generateBundle() {
      for (const name of readdirSync(iconFolder).filter((file) => /^(tray-.*|app-256)\.png$/.test(file))) {
        const source = readFileSync(path.join(iconFolder, name));
        this.emitFile({ type: 'asset', fileName: `icons/${name}`, source });
      }
    },
  };
}

export default defineConfig({
  plugins: [icons()],
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
