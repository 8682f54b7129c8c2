// Draws every icon of the desktop app from build/icon.svg into build/icons, which is committed: run it by hand after a
// change of the drawing (`node build/icons.ts`). Chromium draws; the containers of Windows (.ico) and macOS (.icns) hold
// PNG files and are written here.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findChromium } from './chromium.ts';

const folder = path.join(import.meta.dirname, 'icons');
const source = readFileSync(path.join(import.meta.dirname, 'icon.svg'), 'utf8');

const appSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;
const traySize = 16;
const trayStates = ['up-to-date', 'syncing', 'paused', 'needs-you', 'halted', 'offline'] as const;

/** Icon Composer's names of the sizes. */
const icnsTypes = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
] as const;
const icoSizes = [16, 24, 32, 48, 64, 128, 256] as const;

/** One drawing: parts of the source, by id, in a square. */
async function draw(page: Page, parts: string, size: number, colour: string): Promise<Buffer> {
  const defs = source.slice(source.indexOf('<defs>'), source.indexOf('</defs>') + '</defs>'.length);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="${size}" height="${size}" color="${colour}">${defs}${parts}</svg>`;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
  return await page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width: size, height: size } });
}

/** macOS's grid leaves a margin around the tile. */
function appParts(size: number): string {
  return size >= 128
    ? '<g transform="translate(3.1 3.1) scale(.80625)"><use href="#app"/></g>'
    : '<use href="#app"/>';
}

function trayParts(state: (typeof trayStates)[number]): string {
  const mask = state === 'up-to-date' ? '' : ' mask="url(#corner)"';
  return `<g${mask}><use href="#anchor"/></g><use href="#badge-${state}"/>`;
}

/** Windows: a header, an entry for each picture, the pictures ("ICO" of Microsoft's documentation; PNG since Vista). */
function ico(pictures: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    // 0 means 256.
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/** macOS: a list of parts, each with its type and its length, which counts its own header. */
function icns(pictures: readonly { readonly type: string; readonly png: Buffer }[]): Buffer {
  const part = (type: string, body: Buffer) => {
    const header = Buffer.alloc(8);
    header.write(type, 'latin1');
    header.writeUInt32BE(header.length + body.length, 4);
    return Buffer.concat([header, body]);
  };
  return part('icns', Buffer.concat(pictures.map(({ type, png }) => part(type, png))));
}

const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  mkdirSync(folder, { recursive: true });
  const page = await browser.newPage();
  const plain = new Map<number, Buffer>();
  const withMargin = new Map<number, Buffer>();
  for (const size of appSizes) {
    plain.set(size, await draw(page, '<use href="#app"/>', size, '#000'));
    withMargin.set(size, await draw(page, appParts(size), size, '#000'));
  }
  const of = (pictures: ReadonlyMap<number, Buffer>, size: number) => {
    const png = pictures.get(size);
    if (png === undefined) throw new Error(`no icon of ${size} was drawn`);
    return png;
  };
  writeFileSync(path.join(folder, 'app.ico'), ico(icoSizes.map((size) => ({ size, png: of(plain, size) }))));
  writeFileSync(
    path.join(folder, 'app.icns'),
    icns(icnsTypes.map(([type, size]) => ({ type, png: of(withMargin, size) }))),
  );
  for (const size of [256, 512]) writeFileSync(path.join(folder, `app-${size}.png`), of(plain, size));
  for (const state of trayStates) {
    for (const [suffix, colour] of [
      ['Template', '#000'],
      ['-light', '#fff'],
    ] as const) {
      for (const [scale, scaled] of [
        [1, ''],
        [2, '@2x'],
      ] as const) {
        const png = await draw(page, trayParts(state), traySize * scale, colour);
        writeFileSync(path.join(folder, `tray-${state}${suffix}${scaled}.png`), png);
      }
    }
  }
} finally {
  await browser.close();
}
