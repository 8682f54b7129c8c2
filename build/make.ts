// `npm run make`: packages the app for this platform and makes its installers, in out/make. From the environment:
// UPDATE_FEED, the https address that will serve them, if there is to be one; PUBLISHER and HOMEPAGE, who answers for them.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { installerConfiguration } from './electron-builder.ts';

const root = path.resolve(import.meta.dirname, '..');
const { arch, platform } = process;

const platforms: Readonly<Record<string, { readonly to: Platform; readonly app: string }>> = {
  linux: { to: Platform.LINUX, app: '' },
  darwin: { to: Platform.MAC, app: 'Mooring.app' },
  win32: { to: Platform.WINDOWS, app: '' },
};
const architectures: Readonly<Record<string, Arch>> = { x64: Arch.x64, arm64: Arch.arm64 };

const target = platforms[platform];
const architecture = architectures[arch];
if (target === undefined || architecture === undefined) {
  throw new Error(`there are no installers for ${platform} ${arch}`);
}
const forge = path.join(root, 'node_modules/@electron-forge/cli/dist/electron-forge.js');
const packaged = spawnSync(process.execPath, [forge, 'package'], { cwd: root, stdio: 'inherit' });
if (packaged.status !== 0) process.exit(packaged.status ?? 1);

const made = await build({
  projectDir: root,
  prepackaged: path.join(root, `out/Mooring-${platform}-${arch}`, target.app),
  targets: target.to.createTarget(null, architecture),
  publish: 'never',
  config: installerConfiguration({
    output: path.join(root, 'out/make'),
    feed: process.env.UPDATE_FEED ?? null,
    // A reserved name (RFC 2606) for installers that are not distributed.
    publisher: process.env.PUBLISHER ?? 'Mooring <nobody@mooring.invalid>',
    homepage: process.env.HOMEPAGE ?? 'https://mooring.invalid/',
  }),
});
for (const file of made) process.stdout.write(`${path.relative(root, file)}\n`);
