// What the page loads before it can be used. Fonts apart: the page is readable without them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const gzippedBytesMax = 400 * 1000;

it('scripts and styles of the UI are less than 400 KB, compressed, and come from nowhere else', async () => {
  const outDir = tempFolder('ui');
  await build({
    configFile: path.join(root, 'build/vite.renderer.ts'),
    logLevel: 'error',
    build: { outDir },
  });
  const names = readdirSync(outDir, { recursive: true, encoding: 'utf8' });
  const loaded = names.filter((name) => /\.(js|css)$/.test(name));
  const bytes = loaded.map((name) => gzipSync(readFileSync(path.join(outDir, name))).length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(gzippedBytesMax);
  const page = readFileSync(path.join(outDir, 'index.html'), 'utf8');
  const references = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  expect(references.length).toBeGreaterThan(1);
  expect(references.filter((address) => !address?.startsWith('/'))).toEqual([]);
});
