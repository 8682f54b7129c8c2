// How electron-builder turns the packaged app (forge.config.ts) into installers. It packs nothing itself. Certificates are
// read from the environment by electron-builder (CSC_LINK, WIN_CSC_LINK, ...); without them nothing is signed.
import path from 'node:path';
import type { Configuration } from 'electron-builder';

const icons = path.join(import.meta.dirname, 'icons');

export interface InstallerOptions {
  /** Where the installers are put. */
  readonly output: string;
  /** Where they will be served from; then the feed's `latest*.yml` is made, too. null: no feed. */
  readonly feed: string | null;
  /** Who answers for the installers: `Name <address>` and a page. A .deb must name both. */
  readonly publisher: string;
  readonly homepage: string;
}

export function installerConfiguration({
  output,
  feed,
  publisher,
  homepage,
}: InstallerOptions): Configuration {
  return {
    appId: 'org.mooring.app',
    productName: 'Mooring',
    copyright: 'Apache-2.0',
    directories: { output, buildResources: icons },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are electron-builder's own
    artifactName: '${name}-${version}-${os}-${arch}.${ext}',
    publish: feed === null ? null : { provider: 'generic', url: feed },
    protocols: [{ name: 'Mooring', schemes: ['mooring'] }],
    npmRebuild: false,
    extraMetadata: { homepage },
    linux: {
      target: ['AppImage', 'deb'],
      executableName: 'mooring',
      // Window and menu entry are known as one (`desktopName` in package.json).
      syncDesktopName: true,
      category: 'Utility',
      synopsis: 'A workspace of files for people and AI agents',
      icon: path.join(icons, 'app-512.png'),
      mimeTypes: ['x-scheme-handler/mooring'],
      maintainer: publisher,
      vendor: publisher,
    },
    deb: { packageName: 'mooring', priority: 'optional' },
    mac: {
      target: ['dmg'],
      category: 'public.app-category.productivity',
      icon: path.join(icons, 'app.icns'),
    },
    win: { target: ['nsis'], icon: path.join(icons, 'app.ico') },
    // For one user, into a folder that the user may choose; nothing asks for an administrator.
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  };
}
