// The UI's bundle, served by the agent at `/` and shown by the desktop app: dist/renderer in a checkout,
// .vite/dist/renderer in the packaged app (Electron Forge passes its own part of the configuration).
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { docsSitePlugin } from './docs-site/plugin.ts';
import { thirdPartyPlugin } from './third-party.ts';

const root = path.resolve(import.meta.dirname, '..');

/**
 * Names the part of what the page loads before it can be used. Without it, each set of screens that share a module gets a file of its
 * own: more than 50 requests before the first paint.
 */
function partOfModule(): (id: string, modules: Modules) => string | null {
  let first: ReadonlySet<string> | null = null;
  return (id, modules) => {
    first ??= importedBy(path.join(root, 'renderer/index.html'), modules);
    return first.has(id) ? 'first' : null;
  };
}

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** All modules that it imports, other than on request. */
function importedBy(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const id of found) for (const each of modules.getModuleInfo(id)?.importedIds ?? []) found.add(each);
  return found;
}

/**
 * With what a shell or a test runner says (`development`, `test`) the bundle would have React's code for developers, which is larger and
 * slower. Vite reads the variable after the plugins have seen its configuration.
 */
const production: Plugin = {
  name: 'mooring:production',
  config(_config, { command }) {
    if (command === 'build') process.env.NODE_ENV = 'production';
  },
};

export default defineConfig((env) => ({
  root: path.join(root, 'renderer'),
  // The same bundle for `http://127.0.0.1:PORT/` and `app://mooring/`; routes may be deep, so not relative.
  base: '/',
  plugins: [production, react(), thirdPartyPlugin(root), docsSitePlugin(root)],
  build: {
    outDir: path.join(root, 'forgeConfigSelf' in env ? '.vite/dist/renderer' : 'dist/renderer'),
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Everything is a file of its own: the page's Content-Security-Policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    // One file of 780 KB comes from this machine in a few milliseconds; parts would only add requests. What may be sent is limited
    // compressed (test/packaging/renderer-size.test.ts), and a newcomer who runs `npm start` is not told of it.
    chunkSizeWarningLimit: 1_200,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: partOfModule(), debugName: 'first' }] } },
    },
  },
}));
