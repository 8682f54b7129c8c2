import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findChromium } from '../../build/chromium.ts';
import { findDesktop } from '../../build/start.mjs';
import { tempFolder } from '../support/temp-folder.ts';

describe('npm start', () => {
  it('stays without a window where there is no display', () => {
    expect(findDesktop({}, 'linux')).toEqual({ missing: 'there is no display' });
  });

  it('stays without a window where there is no Electron runtime', () => {
    const env = { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: tempFolder() };
    expect(findDesktop(env, 'linux')).toEqual({ missing: 'there is no Electron runtime' });
  });

  it.each([
    ['linux', 'electron'],
    ['win32', 'electron.exe'],
  ] as const)('opens the desktop app with the runtime that it is pointed at on %s', (platform, name) => {
    const folder = tempFolder();
    writeFileSync(path.join(folder, name), '');
    const env = { WAYLAND_DISPLAY: 'wayland-0', ELECTRON_OVERRIDE_DIST_PATH: folder };
    expect(findDesktop(env, platform)).toEqual({ run: path.join(folder, name) });
  });
});

describe('the browser of the tests', () => {
  it.skipIf(process.platform === 'win32')('is the first executable on the PATH that is a Chromium', () => {
    const [first, second] = [tempFolder(), tempFolder()];
    writeFileSync(path.join(first, 'chromium'), 'not executable');
    const browser = path.join(second, 'google-chrome');
    writeFileSync(browser, '');
    chmodSync(browser, 0o755);
    expect(findChromium({ PATH: `${first}${path.delimiter}${second}` })).toBe(browser);
  });
});
