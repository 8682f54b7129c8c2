// Packages the desktop app (`npm run package`). Needs an Electron runtime: Electron Forge downloads it, or takes
// `electron-v<version>-<platform>-<arch>.zip` from the folder that ELECTRON_ZIP_FOLDER names. Installers are made from the
// package by electron-builder (build/make.ts). Who signs is read from the environment; without it nothing is signed.
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { FuseV1Options, FuseVersion } from '@electron/fuses';
import { FusesPlugin } from '@electron-forge/plugin-fuses';
import { VitePlugin } from '@electron-forge/plugin-vite';
import type { ForgeConfig } from '@electron-forge/shared-types';

const { env } = process;

type Packager = NonNullable<ForgeConfig['packagerConfig']>;

/** What has a name in the environment. The names are those that electron-builder reads, too. */
function signing(): Partial<Packager> {
  const { CSC_NAME, APPLE_ID, APPLE_APP_SPECIFIC_PASSWORD, APPLE_TEAM_ID } = env;
  const { WIN_CSC_FILE, WIN_CSC_KEY_PASSWORD } = env;
  const signs: Partial<Packager> = {};
  if (CSC_NAME) signs.osxSign = { identity: CSC_NAME };
  if (CSC_NAME && APPLE_ID && APPLE_APP_SPECIFIC_PASSWORD && APPLE_TEAM_ID) {
    signs.osxNotarize = {
      appleId: APPLE_ID,
      appleIdPassword: APPLE_APP_SPECIFIC_PASSWORD,
      teamId: APPLE_TEAM_ID,
    };
  }
  if (WIN_CSC_FILE && WIN_CSC_KEY_PASSWORD) {
    signs.windowsSign = { certificateFile: WIN_CSC_FILE, certificatePassword: WIN_CSC_KEY_PASSWORD };
  }
  return signs;
}

const config: ForgeConfig = {
  ...(env.PACKAGE_FOLDER ? { outDir: env.PACKAGE_FOLDER } : {}),
  packagerConfig: {
    name: 'Mooring',
    executableName: 'mooring',
    appBundleId: 'org.mooring.app',
    appCategoryType: 'public.app-category.productivity',
    // The extension is the platform's: .icns, .ico; Linux takes its icons from the installer.
    icon: 'build/icons/app',
    protocols: [{ name: 'Mooring', schemes: ['mooring'] }],
    // Beside the archive, where electron-updater looks for it.
    extraResource: ['build/app-update.yml', 'LICENSE'],
    // Native files cannot be loaded from inside the archive.
    asar: { unpack: '**/*.node' },
    // Off: the Vite plugin has left out everything but the bundles, and the hook below adds the one package.
    prune: false,
    ...(env.ELECTRON_ZIP_FOLDER ? { electronZipDir: env.ELECTRON_ZIP_FOLDER } : {}),
    ...signing(),
  },
  // The only native package ships Node-API builds for every platform; nothing is compiled here.
  rebuildConfig: { onlyModules: [] },
  hooks: {
    packageAfterCopy: async (_config, appFolder, _electronVersion, platform, arch) => {
      await addDatabase(appFolder, `${platform}-${arch}.node`);
    },
  },
  plugins: [
    new VitePlugin({
      build: [
        { entry: 'electron/main.ts', config: 'build/vite.main.ts', target: 'main' },
        { entry: 'electron/preload.ts', config: 'build/vite.preload.ts', target: 'preload' },
        { entry: 'server/utility.ts', config: 'build/vite.agent.ts', target: 'main' },
      ],
      renderer: [{ name: 'ui', config: 'build/vite.renderer.ts' }],
    }),
    new FusesPlugin({
      version: FuseVersion.V1,
      strictlyRequireAllFuses: true,
      // ELECTRON_RUN_AS_NODE would turn the signed app into a Node that runs anyone's script.
      [FuseV1Options.RunAsNode]: false,
      // Cookies, should a page ever set one, are encrypted with a key of the operating system.
      [FuseV1Options.EnableCookieEncryption]: true,
      // NODE_OPTIONS could load code into the main process.
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
      // --inspect would open the main process to any debugger.
      [FuseV1Options.EnableNodeCliInspectArguments]: false,
      // The archive is checked against a hash in the binary, where the platform supports it,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
      // and code is loaded from that archive only, not from a folder put beside it.
      [FuseV1Options.OnlyLoadAppFromAsar]: true,
      // There is no V8 snapshot of the main process's own to load.
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      // No page is loaded from file://, so it needs no rights beyond a browser's.
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
      // Bounds checks of WebAssembly by trap handlers: the default, and the faster way.
      [FuseV1Options.WasmTrapHandlers]: true,
    }),
  ],
};

/** Copies the database package into the app, with the native file of the one platform that it is made for. */
async function addDatabase(appFolder: string, nativeFile: string): Promise<void> {
  const from = path.join(import.meta.dirname, 'node_modules/better-sqlite3');
  const to = path.join(appFolder, 'node_modules/better-sqlite3');
  await mkdir(path.join(to, 'prebuilds'), { recursive: true });
  for (const part of ['package.json', 'LICENSE', 'lib']) {
    await cp(path.join(from, part), path.join(to, part), { recursive: true });
  }
  await cp(path.join(from, 'prebuilds', nativeFile), path.join(to, 'prebuilds', nativeFile));
}

export default config;
