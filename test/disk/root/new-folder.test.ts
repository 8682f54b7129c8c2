import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  absoluteDir,
  countFolder,
  kindOfFolder,
  proposedFolders,
} from '../../../server/disk/root/new-folder.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const limits = { fileBytesMax: 100, entriesMax: 10_000, timeMs: 60_000, clock: systemClock };
const going = new AbortController().signal;

function makePipe(file: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', file]);
}

describe('a typed path', () => {
  it('begins at the root or at the home', () => {
    expect(absoluteDir('~', '/h')).toBe('/h');
    expect(absoluteDir('~/notes/', '/h')).toBe('/h/notes');
    expect(absoluteDir('/a/../b', '/h')).toBe('/b');
    expect(['notes', './notes', '~bob/notes', '', '/a\0b'].map((each) => absoluteDir(each, '/h'))).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });

  it('is completed by folders, in natural order, as it was typed', async () => {
    const home = tempFolder();
    for (const name of ['note10', 'Note2', 'other', '.hidden']) mkdirSync(path.join(home, name));
    writeFileSync(path.join(home, 'note-file'), '');
    expect(await proposedFolders('~/no', home)).toEqual(['~/Note2', '~/note10']);
    expect(await proposedFolders(`${home}/`, home)).toEqual(
      ['Note2', 'note10', 'other'].map((name) => `${home}/${name}`),
    );
    expect(await proposedFolders('~/.h', home)).toEqual(['~/.hidden']);
    expect(await proposedFolders('~', home)).toEqual(['~/']);
    expect(await proposedFolders('~/missing/a', home)).toEqual([]);
    expect(await proposedFolders('relative', home)).toEqual([]);
  });

  it('is a folder, missing, or something else', async () => {
    const folder = tempFolder();
    writeFileSync(path.join(folder, 'file'), '');
    const kinds = [folder, `${folder}/none`, `${folder}/file`].map(async (dir) => await kindOfFolder(dir));
    expect(await Promise.all(kinds)).toEqual(['folder', 'missing', 'other']);
  });
});

describe('the count of a folder', () => {
  function filled(): string {
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'sub/deep'), { recursive: true });
    mkdirSync(path.join(folder, '.git'));
    mkdirSync(path.join(folder, 'build'));
    writeFileSync(path.join(folder, '.git/config'), 'ignored');
    writeFileSync(path.join(folder, 'build/out'), 'ignored by a rule');
    writeFileSync(path.join(folder, 'sub/a.log'), 'ignored by a rule');
    writeFileSync(path.join(folder, '.mooringignore'), 'build/\n');
    writeFileSync(path.join(folder, 'sub/.mooringignore'), '*.log\n');
    writeFileSync(path.join(folder, 'sub/deep/b.txt'), '12345');
    writeFileSync(path.join(folder, 'at-limit'), 'x'.repeat(100));
    writeFileSync(path.join(folder, 'beyond'), 'x'.repeat(101));
    return folder;
  }

  it('is what a mirror would sync: without ignored files, links, pipes and too large files', async () => {
    const folder = filled();
    symlinkSync('/', path.join(folder, 'link-to-root'));
    symlinkSync('at-limit', path.join(folder, 'link-to-file'));
    makePipe(path.join(folder, 'pipe'));
    expect(await countFolder(folder, limits, going)).toEqual({
      files: 4,
      bytes: 7 + 6 + 5 + 100,
      tooLarge: 1,
      isComplete: true,
    });
  });

  it('waits for no writer of a pipe that is named like a rule file', async () => {
    const folder = tempFolder();
    makePipe(path.join(folder, '.mooringignore'));
    writeFileSync(path.join(folder, 'a'), '1');
    expect(await countFolder(folder, limits, going)).toMatchObject({ files: 1, isComplete: true });
  });

  it('is empty where the folder is missing', async () => {
    const missing = path.join(tempFolder(), 'none');
    expect(await countFolder(missing, limits, going)).toEqual({
      files: 0,
      bytes: 0,
      tooLarge: 0,
      isComplete: true,
    });
  });

  it('says that it is not complete at its limits', async () => {
    const folder = filled();
    expect(await countFolder(folder, { ...limits, entriesMax: 3 }, going)).toMatchObject({
      isComplete: false,
    });
    expect(await countFolder(folder, { ...limits, timeMs: -1 }, going)).toMatchObject({ isComplete: false });
  });

  it('says so where a directory cannot be read', async () => {
    expect(await countFolder(path.join(filled(), 'beyond'), limits, going)).toMatchObject({
      files: 0,
      isComplete: false,
    });
  });

  it('ends when its caller leaves', async () => {
    const leaving = new AbortController();
    const folder = tempFolder();
    for (let each = 0; each < 2_000; each += 1) writeFileSync(path.join(folder, `${each}`), '');
    const count = countFolder(folder, limits, leaving.signal);
    leaving.abort(new Error('the caller left'));
    await expect(count).rejects.toThrow('the caller left');
  });
});
