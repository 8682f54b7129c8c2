// The installers' configuration: electron-builder itself checks it for each platform. Making the installers needs tools
// that electron-builder downloads; icons and configuration can be seen without them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { describe, expect, it } from 'vitest';
import { installerConfiguration } from '../../build/electron-builder.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const icons = path.join(root, 'build/icons');

function configuration(feed: string | null = null) {
  const output = tempFolder('mooring-installers');
  return installerConfiguration({
    output,
    feed,
    publisher: 'A <a@example.com>',
    homepage: 'https://example.com/',
  });
}

describe('the configuration of the installers', () => {
  it.each([
    ['Linux', Platform.LINUX],
    ['macOS', Platform.MAC],
    ['Windows', Platform.WINDOWS],
  ] as const)('is one that electron-builder takes for %s', async (_name, platform) => {
    const prepackaged = tempFolder('mooring-prepackaged');
    // `dir`: nothing is made of what is already packaged, but everything is checked.
    const targets = platform.createTarget('dir', Arch.x64);
    const made = await build({
      projectDir: root,
      prepackaged,
      targets,
      publish: 'never',
      config: configuration(),
    });
    expect(made).toEqual([]);
  });

  it('names the installers of each platform, and a feed only where one is given', () => {
    const { linux, mac, win, publish } = configuration();
    expect([linux?.target, mac?.target, win?.target, publish]).toEqual([
      ['AppImage', 'deb'],
      ['dmg'],
      ['nsis'],
      null,
    ]);
    const feed = 'https://example.com/mooring';
    expect(configuration(feed).publish).toEqual({ provider: 'generic', url: feed });
  });
});

describe('the icons', () => {
  const sizeOfPng = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];
  const isPng = (png: Buffer) => png.subarray(1, 4).toString('latin1') === 'PNG';

  it('of Windows hold a picture of each size', () => {
    const ico = readFileSync(path.join(icons, 'app.ico'));
    const pictures = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
      const at = 6 + 16 * index;
      return ico.subarray(ico.readUInt32LE(at + 12), ico.readUInt32LE(at + 12) + ico.readUInt32LE(at + 8));
    });
    expect(pictures.every(isPng)).toBe(true);
    expect(pictures.map(sizeOfPng)).toEqual([16, 24, 32, 48, 64, 128, 256].map((size) => [size, size]));
  });

  it('of macOS hold a picture of each type, up to 1024', () => {
    const icns = readFileSync(path.join(icons, 'app.icns'));
    expect([icns.subarray(0, 4).toString('latin1'), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
    const sizes: Record<string, number | undefined> = {};
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
      const png = icns.subarray(at + 8, at + icns.readUInt32BE(at + 4));
      expect(isPng(png)).toBe(true);
      sizes[icns.subarray(at, at + 4).toString('latin1')] = sizeOfPng(png)[0];
    }
    expect(sizes).toEqual({
      ic11: 32,
      ic12: 64,
      ic07: 128,
      ic13: 256,
      ic08: 256,
      ic14: 512,
      ic09: 512,
      ic10: 1024,
    });
  });

  it.each(['up-to-date', 'syncing', 'paused', 'needs-you', 'halted', 'offline'])(
    'of the tray know %s',
    (state) => {
      for (const [suffix, size] of [
        ['Template', 16],
        ['Template@2x', 32],
        ['-light', 16],
        ['-light@2x', 32],
      ] as const) {
        expect(sizeOfPng(readFileSync(path.join(icons, `tray-${state}${suffix}.png`)))).toEqual([size, size]);
      }
    },
  );
});
