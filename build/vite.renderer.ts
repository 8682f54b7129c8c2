// The UI's bundle, served by the agent at `/` and shown by the desktop app: dist/renderer in a checkout,
// .vite/dist/renderer in the packaged app (Electron Forge passes its own part of the configuration).
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { docsSitePlugin } from './docs-site/plugin.ts';
import { thirdPartyPlugin } from './third-party.ts';

const root = path.resolve(import.meta.dirname, '..');

/**
 * The two parts of what the page loads before it can be used: `start` signs in, `first` is the app. Without them, each set of screens that
 * share a module gets a file of its own: more than 50 requests before the first paint. A module of both is in the one that is needed first.
 */
const firstParts = [
  { ...partOf('start', 'index.html'), priority: 2 },
  { ...partOf('first', 'app.tsx'), priority: 1 },
];

/** All that a module of the renderer imports, other than on request, and the module. */
function partOf(name: string, entry: string) {
  let ids: ReadonlySet<string> | null = null;
  return {
    name: (id: string, modules: Modules): string | null => {
      ids ??= importedBy(path.join(root, 'renderer', entry), modules);
      return ids.has(id) ? name : null;
    },
    debugName: name,
  };
}

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

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

/** The page requests the app itself, so its download does not wait for the script that imports it: one round trip less from a hub. */
const appWithPage: Plugin = {
  name: 'mooring:app-with-page',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const app = Object.keys(bundle).filter((name) => /^assets\/first-[\w-]+\.js$/.test(name));
      return app.map((name) => ({
        tag: 'link',
        attrs: { rel: 'preload', href: `/${name}`, as: 'script', crossorigin: true },
        injectTo: 'head' as const,
      }));
    },
  },
};

export default defineConfig((env) => ({
  root: path.join(root, 'renderer'),
  // The same bundle for `http://127.0.0.1:PORT/` and `app://mooring/`; routes may be deep, so not relative.
  base: '/',
  plugins: [production, react(), appWithPage, thirdPartyPlugin(root), docsSitePlugin(root)],
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
      output: { codeSplitting: { groups: firstParts } },
    },
  },
}));
