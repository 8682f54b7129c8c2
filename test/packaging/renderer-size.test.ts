// What the page loads before it can be used. Fonts apart: the page is readable without them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, it, vi } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Compressed: what the page loads before it can be used, and what it loads later: screens and viewers, the licences, the documentation. */
const bytesMax = { first: 300_000, later: 160_000, licences: 40_000, documentation: 30_000 } as const;
/** One part that a person waits for. */
const partBytesMax = 40_000;
type Part = keyof typeof bytesMax;

function partOf(name: string, isFirst: boolean): Part {
  if (isFirst) return 'first';
  if (name.startsWith('docs/')) return 'documentation';
  return name.includes('third-party') ? 'licences' : 'later';
}

it('scripts and styles of the UI have a limited size, compressed, and come from nowhere else', async () => {
  const outDir = tempFolder('ui');
  // As a developer's shell may have it: React would be the one for developers.
  vi.stubEnv('NODE_ENV', 'development');
  await build({
    configFile: path.join(root, 'build/vite.renderer.ts'),
    logLevel: 'error',
    build: { outDir },
  });
  vi.unstubAllEnvs();
  const page = readFileSync(path.join(outDir, 'index.html'), 'utf8');
  const references = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  expect(references.length).toBeGreaterThan(1);
  expect(references.filter((address) => !address.startsWith('/'))).toEqual([]);
  const names = readdirSync(outDir, { recursive: true, encoding: 'utf8' });
  const loaded = names.filter((name) => /\.(js|css)$/.test(name));
  const bytes = { first: 0, later: 0, licences: 0, documentation: 0 };
  for (const name of loaded) {
    const address = `/${name.replaceAll('\\', '/')}`;
    const size = gzipSync(readFileSync(path.join(outDir, name))).length;
    const part = partOf(address.slice(1), references.includes(address));
    bytes[part] += size;
    if (part !== 'first') expect(size, name).toBeLessThan(partBytesMax);
  }
  for (const part of Object.keys(bytesMax) as Part[]) {
    expect(bytes[part], part).toBeGreaterThan(0);
    expect(bytes[part], part).toBeLessThan(bytesMax[part]);
  }
});

it('every package whose code is in the UI has its licence beside it, and in the part that Settings shows', async () => {
  const outDir = tempFolder('ui');
  const bundled = new Set<string>();
  await build({
    configFile: path.join(root, 'build/vite.renderer.ts'),
    logLevel: 'error',
    build: { outDir },
    plugins: [
      {
        name: 'packages-of-the-bundle',
        generateBundle() {
          for (const id of this.getModuleIds()) {
            const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1];
            if (name !== undefined) bundled.add(name);
          }
        },
      },
    ],
  });
  const notices = readFileSync(path.join(outDir, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
  const named = new Set([...notices.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \(/gm)].map(([, name]) => name));
  expect(bundled.size).toBeGreaterThan(5);
  expect([...bundled].filter((name) => !named.has(name))).toEqual([]);
  // What the agent runs with ships as well.
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(Object.keys(dependencies).filter((name) => !named.has(name))).toEqual([]);
  expect(notices).not.toMatch(/not stated/);
  const parts = readdirSync(path.join(outDir, 'assets')).filter((name) => name.startsWith('third-party-'));
  expect(parts).toHaveLength(1);
});
