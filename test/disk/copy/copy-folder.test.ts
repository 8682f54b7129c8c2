// Copies of what no mirror syncs, into the folder of a run: what is copied, where links lead, and what hostile links cannot do.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { CopyLimits, CopyReport } from '../../../server/disk/copy/copied-files.ts';
import { parseReport } from '../../../server/disk/copy/copied-files.ts';
import { copyFiles } from '../../../server/disk/copy/copy-files.ts';
import { copyFolder } from '../../../server/disk/copy/copy-folder.ts';
import { confinedFileSystem } from '../../../server/disk/port/confined-file-system.ts';
import type { FileSystem } from '../../../server/disk/port/file-system.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { entriesBelow } from '../../support/trees.ts';

const wide: CopyLimits = { filesMax: 1000, bytesMax: 1_000_000, freeBytesMin: 0 };
const plenty = 1e12;
const fileBytesMax = 10_000;

class Rig {
  readonly base = tempFolder('mooring-copy');
  readonly from = path.join(this.base, 'live');
  readonly to = path.join(this.base, 'run');
  readonly outside = path.join(this.base, 'outside');
  readonly list = path.join(this.base, 'lists/run.copies');

  constructor() {
    for (const dir of [this.from, this.to, this.outside]) mkdirSync(dir);
    this.write(this.outside, 'secret', 'secret');
    for (const dir of [this.from, this.to]) this.write(dir, '.mooringignore', 'node_modules/\n*.log\n');
  }

  write(dir: string, name: string, text = name, mode = 0o644): void {
    const file = path.join(dir, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  }

  link(name: string, target: string): void {
    mkdirSync(path.dirname(path.join(this.from, name)), { recursive: true });
    symlinkSync(target, path.join(this.from, name));
  }

  copy(
    limits = wide,
    freeBytes = plenty,
    around: (source: FileSystem) => FileSystem = (fs) => fs,
    byHandle?: boolean,
  ): CopyReport {
    const [source, target] = [confinedFileSystem(this.from, byHandle), confinedFileSystem(this.to, byHandle)];
    const request = { root: this.from, from: this.from, to: this.to, list: this.list, fileBytesMax, limits };
    try {
      return copyFolder({ source: around(source), target, request }, freeBytes);
    } finally {
      source.closeDirectories();
      target.closeDirectories();
    }
  }

  /** What the run has, without what was there before. */
  get copied(): readonly string[] {
    return [...entriesBelow(this.to)]
      .filter(({ entry, name }) => !entry.isDirectory() && name !== '.mooringignore')
      .map(({ name }) => name)
      .sort();
  }

  read(name: string): string {
    return readFileSync(path.join(this.to, name), 'utf8');
  }
}

test('ignored files, links and too large files are copied, with their permissions; synced files are not', () => {
  const rig = new Rig();
  rig.write(rig.from, 'node_modules/a/index.js');
  rig.write(rig.from, 'node_modules/.bin/tool', '#!/bin/sh', 0o755);
  rig.write(rig.from, 'trace.log');
  rig.write(rig.from, 'src/new-and-not-synced-yet.ts');
  rig.write(rig.from, 'large.bin', 'x'.repeat(fileBytesMax + 1));
  rig.write(rig.from, '.mooring/marker.json');
  rig.write(rig.from, 'src/.mooring-tmp-abc');
  rig.link('current', 'src');
  const { files, links, bytes, skippedCount } = rig.copy();
  expect(rig.copied).toEqual([
    'current',
    'large.bin',
    'node_modules/.bin/tool',
    'node_modules/a/index.js',
    'trace.log',
  ]);
  expect({ files, links, skippedCount }).toEqual({ files: 4, links: 1, skippedCount: 0 });
  expect(bytes).toBe(23 + 9 + 9 + fileBytesMax + 1);
  expect(statSync(path.join(rig.to, 'node_modules/.bin/tool')).mode & 0o777).toBe(0o755);
  expect(existsSync(path.join(rig.to, '.mooring/copying'))).toBe(false);
});

test('where the system has no path of an open file, its bytes are copied', () => {
  const rig = new Rig();
  rig.write(rig.from, 'node_modules/tool', 'x'.repeat(3_000_000), 0o755);
  rig.link('node_modules/link', 'tool');
  const report = rig.copy({ ...wide, bytesMax: 1e9 }, plenty, (fs) => fs, false);
  expect(report).toMatchObject({
    files: 1,
    links: 1,
    bytes: 3_000_000,
    sharesBlocks: false,
    skippedCount: 0,
  });
  expect(rig.read('node_modules/tool')).toBe('x'.repeat(3_000_000));
  expect(statSync(path.join(rig.to, 'node_modules/tool')).mode & 0o777).toBe(0o755);
});

test('permissions of synced files are carried over, and empty directories', () => {
  const rig = new Rig();
  for (const dir of [rig.from, rig.to]) rig.write(dir, 'build.sh', 'x');
  chmodSync(path.join(rig.from, 'build.sh'), 0o755);
  mkdirSync(path.join(rig.from, 'empty'));
  rig.copy();
  expect(statSync(path.join(rig.to, 'build.sh')).mode & 0o777).toBe(0o755);
  expect(lstatSync(path.join(rig.to, 'empty')).isDirectory()).toBe(true);
});

test('the rules of the run decide: what they do not ignore would become a change of the run', () => {
  const rig = new Rig();
  rig.write(rig.to, '.mooringignore', 'node_modules/\n');
  rig.write(rig.from, 'trace.log');
  rig.write(rig.from, 'node_modules/a.js');
  rig.copy();
  expect(rig.copied).toEqual(['node_modules/a.js']);
});

test('links into the mirrored folder lead into the folder of the run, others where they led', () => {
  const rig = new Rig();
  rig.link('inside', path.join(rig.from, 'src/main.ts'));
  rig.link('root', rig.from);
  rig.link('relative', '../x/y');
  rig.link('node_modules/near', '../src');
  rig.link('outside', rig.outside);
  rig.link('beside', '../outside/secret');
  symlinkSync(rig.base, path.join(rig.base, 'alias'));
  rig.link('by-another-name', path.join(rig.base, 'alias/live/src'));
  rig.copy();
  const target = (name: string) => readlinkSync(path.join(rig.to, name));
  expect(target('inside')).toBe(path.join(rig.to, 'src/main.ts'));
  expect(target('root')).toBe(rig.to);
  expect(target('node_modules/near')).toBe('../src');
  expect(target('relative')).toBe(path.join(rig.base, 'x/y'));
  expect(target('outside')).toBe(rig.outside);
  expect(target('beside')).toBe(path.join(rig.outside, 'secret'));
  expect(target('by-another-name')).toBe(path.join(rig.to, 'src'));
});

test('no link leads a copy out of either folder', () => {
  const rig = new Rig();
  rig.link('node_modules/out', rig.outside);
  rig.write(rig.from, 'node_modules/planted/file');
  symlinkSync(rig.outside, path.join(rig.to, 'planted'));
  rig.write(rig.from, 'planted/trace.log');
  rig.copy();
  expect(readdirSync(rig.outside)).toEqual(['secret']);
  expect(rig.copied.filter((name) => name.includes('secret'))).toEqual([]);
  expect(lstatSync(path.join(rig.to, 'node_modules/out')).isSymbolicLink()).toBe(true);
});

test('a directory or a file that becomes a link during the copy is not followed', () => {
  const rig = new Rig();
  rig.write(rig.from, 'node_modules/a/secret', 'mine');
  rig.write(rig.from, 'node_modules/b', 'mine');
  let swaps = 0;
  const report = rig.copy(wide, plenty, (source) => ({
    ...source,
    openToRead(file) {
      const victim = file.endsWith('/b') ? file : path.dirname(file);
      if (file.includes('node_modules') && !lstatSync(victim).isSymbolicLink()) {
        renameSync(victim, `${rig.base}/moved-${swaps}`);
        symlinkSync(file.endsWith('/b') ? `${rig.outside}/secret` : rig.outside, victim);
        swaps += 1;
      }
      return source.openToRead(file);
    },
  }));
  expect(swaps).toBe(2);
  const texts = rig.copied
    .filter((name) => lstatSync(path.join(rig.to, name)).isFile())
    .map((name) => rig.read(name));
  expect(texts).not.toContain('secret');
  expect(report.skippedCount).toBeGreaterThan(0);
});

test('what exceeds a limit or the free space is left out as a whole, and listed', () => {
  const rig = new Rig();
  for (let at = 0; at < 20; at += 1) rig.write(rig.from, `node_modules/${at}`);
  rig.write(rig.from, 'small.log', 'x'.repeat(100));
  rig.write(rig.from, 'too-large.log', 'x'.repeat(5000));
  const report = rig.copy({ filesMax: 10, bytesMax: 1000, freeBytesMin: 0 });
  expect(rig.copied).toEqual(['small.log']);
  expect(report.skipped.map(({ path: name }) => name).sort()).toEqual(['/node_modules', '/too-large.log']);
  const full = new Rig();
  full.write(full.from, 'small.log', 'x'.repeat(100));
  expect(full.copy({ ...wide, freeBytesMin: 950 }, 1000).skipped[0]?.reason).toContain('of the disk free');
  expect(full.copied).toEqual([]);
});

test('a repository is copied without its locks, and not where the copy would work on the other folder', () => {
  const rig = new Rig();
  for (const name of ['HEAD', 'index.lock', 'refs/heads/main.lock', 'objects/ab/cd'])
    rig.write(rig.from, `.git/${name}`);
  rig.write(rig.from, '.git/config', '[core]\n\tbare = false\n');
  rig.write(rig.from, 'sub/.git', 'gitdir: ../.git/modules/sub\n');
  rig.write(rig.from, 'away/.git', 'gitdir: ../../elsewhere/.git\n');
  rig.write(rig.from, 'tree/.git', `gitdir: ${rig.from}/.git/worktrees/tree\n`);
  rig.write(rig.from, 'own/.git/config', `[core]\n\tworktree = ${rig.from}/own\n`);
  rig.write(rig.from, 'more/.git/config', '[include]\n\tpath = /elsewhere\n');
  rig.link('linked/.git', rig.outside);
  const { skipped } = rig.copy();
  expect(rig.copied).toEqual(['.git/HEAD', '.git/config', '.git/objects/ab/cd', 'sub/.git']);
  expect(skipped.map(({ path: name }) => name).sort()).toEqual([
    '/away/.git',
    '/linked/.git',
    '/more/.git',
    '/own/.git',
    '/tree/.git',
  ]);
});

test('a copy that ended in the middle is continued, and nothing that is there is replaced', () => {
  const rig = new Rig();
  for (const name of ['a', 'b', 'c']) rig.write(rig.from, `node_modules/${name}`);
  rig.write(rig.to, 'node_modules/a', 'of the run');
  rig.write(rig.to, '.mooring/copying', 'torn');
  rig.copy();
  expect(rig.copied).toEqual(['node_modules/a', 'node_modules/b', 'node_modules/c']);
  expect(rig.read('node_modules/a')).toBe('of the run');
});

test('in its thread it copies once: a second call answers the same, also from a report that a program has spoilt', async () => {
  const rig = new Rig();
  rig.write(rig.from, 'trace.log');
  const { from, to, list } = rig;
  const request = { root: from, from, to, list, fileBytesMax, limits: wide };
  const { signal } = new AbortController();
  const first = await copyFiles(request, signal);
  expect(first).toMatchObject({ files: 1, bytes: 9 });
  rig.write(rig.from, 'later.log');
  expect(await copyFiles(request, signal)).toEqual(first);
  expect(rig.copied).toEqual(['trace.log']);
  writeFileSync(path.join(rig.to, '.mooring/copied.json'), '{"files":"many"}');
  expect(await copyFiles(request, signal)).toMatchObject({ files: 1 });
  expect(rig.read('later.log')).toBe('later.log');
  await expect(copyFiles(request, AbortSignal.abort(new Error('ended')))).rejects.toThrow('ended');
});

test('a report has counts and a bounded list', () => {
  const report = {
    from: '/a',
    files: 1,
    links: 0,
    bytes: 2,
    sharesBlocks: false,
    skippedCount: 30,
    skipped: [],
  };
  expect(parseReport(report)).toEqual(report);
  expect(parseReport({ ...report, skipped: Array.from({ length: 30 }, () => ({})) })?.skipped).toHaveLength(
    10,
  );
  for (const wrong of [null, 'text', [], {}, { ...report, bytes: -1 }, { ...report, from: 1 }])
    expect(parseReport(wrong)).toBe(null);
});
