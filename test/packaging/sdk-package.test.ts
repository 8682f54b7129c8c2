// The SDK as a program gets it that is not part of this checkout: installed as a package, alone.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
/** A program's folder, with the package in it. */
const folder = makeTempFolder('mooring-sdk');
const packed = path.join(folder, 'sdk');

beforeAll(async () => {
  await run(process.execPath, [path.join(root, 'build/sdk.ts'), packed], { cwd: root });
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(packed, path.join(folder, 'node_modules/mooring-sdk'), 'junction');
}, 120_000);
afterAll(() => removeFolder(folder));

it('imports nothing, neither what runs nor its types', () => {
  expect(readFileSync(path.join(packed, 'index.js'), 'utf8')).not.toMatch(
    /^\s*import\b|\bimport\(|\brequire\(/m,
  );
  const description = JSON.parse(readFileSync(path.join(packed, 'package.json'), 'utf8')) as object;
  expect(Object.keys(description).filter((key) => /dependencies/i.test(key))).toEqual([]);
  const imported = readdirSync(packed)
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) => [
      ...readFileSync(path.join(packed, name), 'utf8').matchAll(/from '([^']+)'|import\('([^']+)'/g),
    ])
    .map(([, from, inline]) => from ?? inline ?? '');
  expect(imported.filter((from) => !/^\.\/[a-z-]+\.js$/.test(from))).toEqual([]);
  expect(imported).toContain('./wire.js');
});

it('its types compile by themselves, know what is answered and refuse what is not meant', async () => {
  writeFileSync(
    path.join(folder, 'use.mts'),
    `import { MooringClient, RevisionConflictError, type Tree } from 'mooring-sdk';
const client = new MooringClient({ baseUrl: 'http://127.0.0.1:4417', token: 'token' });
export const tree: Promise<Tree> = client.listTree('w', { path: '/' });
export const grouped: Promise<Tree> = client.files.tree('w', { path: '/' });
export const url: Promise<string> = client.agent.status().then((status) => status.url);
export const first: Promise<'file' | 'dir' | undefined> = tree.then(({ entries }) => entries[0]?.type);
export const current = (error: unknown): string | null => error instanceof RevisionConflictError ? error.currentRevision : null;
// @ts-expect-error: there is no such option
void client.listTree('w', { paths: '/' });
// @ts-expect-error: a revision is a text
export const size: Promise<number> = client.writeFile('w', '/a', 'a').then((queued) => queued.targetRevision);
`,
  );
  const { stdout } = await run(
    process.execPath,
    [
      path.join(root, 'node_modules/typescript/bin/tsc'),
      ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'],
      ...['--target', 'es2022', '--lib', 'es2022,dom', 'use.mts'],
    ],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

it('the first example of its README runs', async () => {
  const agent = await startAgent();
  const { token, workspaceId } = await freshWorkspace(agent);
  const example =
    /```js\n([\s\S]*?)```/.exec(readFileSync(path.join(packed, 'README.md'), 'utf8'))?.[1] ?? '';
  expect(example).toContain("from 'mooring-sdk'");
  writeFileSync(path.join(folder, 'example.mjs'), example);
  const { stdout } = await run(process.execPath, ['example.mjs'], {
    cwd: folder,
    env: { ...process.env, AGENT_URL: agent.url, AGENT_TOKEN: token, AGENT_WORKSPACE: workspaceId },
  });
  expect(stdout).toContain('file /notes/today.md');
});
