// What changed of the copies in the folder of a run: found by content, without following links, and not hidden by what a program of the run does
// in that folder.
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { IgnoredChange } from '../../../server/disk/copy/copied-files.ts';
import { compareCopies, copyFiles } from '../../../server/disk/copy/copy-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { signal } = new AbortController();
const limits = { filesMax: 1000, bytesMax: 1_000_000, freeBytesMin: 0 };
let base: string;

function at(side: 'live' | 'run' | 'outside', name = ''): string {
  return path.join(base, side, name);
}

function put(side: 'live' | 'run' | 'outside', name: string, text: string): void {
  mkdirSync(path.dirname(at(side, name)), { recursive: true });
  writeFileSync(at(side, name), text);
}

const folders = () => ({
  ...{ root: at('live'), from: at('live'), to: at('run'), list: path.join(base, 'lists/run.copies') },
  fileBytesMax: 10_000,
});
const copy = async () => await copyFiles({ ...folders(), limits }, signal);
const compare = async (page = { after: '', limit: 100, hasTexts: false }) =>
  await compareCopies({ ...folders(), page }, signal);

async function changed(): Promise<readonly string[]> {
  return ((await compare())?.page ?? []).map(({ type, path: name }: IgnoredChange) => `${type} ${name}`);
}

beforeEach(async () => {
  base = tempFolder('mooring-compare');
  for (const side of ['live', 'run'] as const) {
    put(side, '.mooringignore', 'node_modules/\n*.log\n');
    put(side, 'src/main.ts', 'main\n');
  }
  put('live', '.git/config', '[core]\n');
  put('live', '.git/hooks/pre-commit', '#!/bin/sh\n');
  put('live', 'node_modules/a/index.js', 'one\ntwo\n');
  put('live', 'node_modules/b/index.js', 'b\n');
  put('live', 'trace.log', 'trace\n');
  symlinkSync('src', at('live', 'link'));
  await copy();
});

test('nothing changed: nothing is listed, also where a file was written again with its content', async () => {
  expect(await compare()).toEqual({
    counts: { created: 0, updated: 0, deleted: 0 },
    page: [],
    hasMore: false,
  });
  put('run', 'trace.log', 'trace\n');
  utimesSync(at('run', '.git/config'), 1, 1);
  expect(await changed()).toEqual([]);
});

test('content, permissions, links, new and deleted files are listed; synced files and the private folder are not', async () => {
  put('run', 'node_modules/a/index.js', 'one\nTWO\n');
  chmodSync(at('run', '.git/hooks/pre-commit'), 0o755);
  put('run', '.git/hooks/post-commit', 'evil\n');
  rmSync(at('run', 'node_modules/b'), { recursive: true });
  rmSync(at('run', 'link'));
  symlinkSync('/etc', at('run', 'link'));
  symlinkSync('/etc/passwd', at('run', 'src/new-link'));
  put('run', 'src/new.ts', 'synced\n');
  put('run', 'large.bin', 'x'.repeat(10_001));
  put('run', '.mooring/state.json', '{}');
  expect(await changed()).toEqual([
    'created /.git/hooks/post-commit',
    'updated /.git/hooks/pre-commit',
    'created /large.bin',
    'updated /link',
    'updated /node_modules/a/index.js',
    'deleted /node_modules/b/index.js',
    'created /src/new-link',
  ]);
  const page = await compare({ after: '/.git/hooks/post-commit', limit: 4, hasTexts: true });
  expect(page).toMatchObject({ counts: { created: 3, updated: 3, deleted: 1 }, hasMore: true });
  const [hook, , link, index] = page?.page ?? [];
  expect(hook?.modes).toEqual({ before: 0o644, now: 0o755 });
  const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString();
  expect([text(link?.texts?.before), text(link?.texts?.now)]).toEqual(['src', '/etc']);
  expect([text(index?.texts?.before), text(index?.texts?.now)]).toEqual(['one\ntwo\n', 'one\nTWO\n']);
});

test('a change of the mirrored folder is said, and its text is not taken for what was copied', async () => {
  put('live', '.git/config', '[core] of the live folder\n');
  put('live', '.git/new', 'live\n');
  expect(await changed()).toEqual([]);
  put('run', '.git/config', '[core] of the run\n');
  put('run', '.git/new', 'run\n');
  const page = await compare({ after: '', limit: 10, hasTexts: true });
  expect(page?.page).toMatchObject([
    { path: '/.git/config', type: 'updated', isLiveChanged: true, texts: null },
    { path: '/.git/new', type: 'created', isLiveChanged: true },
  ]);
});

test('a program of the run cannot hide a change by a spoilt report, and links lead no comparison out', async () => {
  put('outside', 'secret', 'secret');
  put('run', '.git/config', 'spoilt\n');
  writeFileSync(at('run', '.mooring/copied.json'), '{}');
  await copy();
  expect(await changed()).toEqual(['updated /.git/config']);
  rmSync(at('run', 'node_modules'), { recursive: true });
  symlinkSync(at('outside'), at('run', 'node_modules'));
  expect(await changed()).toEqual([
    'updated /.git/config',
    'created /node_modules',
    'deleted /node_modules/a/index.js',
    'deleted /node_modules/b/index.js',
  ]);
  const page = await compare({ after: '', limit: 10, hasTexts: true });
  expect(JSON.stringify(page)).not.toContain('secret');
  expect(readFileSync(at('outside', 'secret'), 'utf8')).toBe('secret');
});

test('without a list it is not known what was copied', async () => {
  rmSync(folders().list);
  expect(await compare()).toBeNull();
});
