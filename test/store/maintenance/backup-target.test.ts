// The directory of a backup: what is cleared away in it, and what is nobody's business.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { lockFile } from '../../../server/store/database/data-dir-lock.ts';
import { claimTarget } from '../../../server/store/maintenance/backup-target.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const marker = 'mooring-backup.lock';
const hash = 'ab'.repeat(32);

/** As a backup leaves a directory when its process is killed. */
function killedBackup(): string {
  const dir = tempFolder('mooring-backup');
  mkdirSync(path.join(dir, 'blobs/ab'), { recursive: true });
  for (const name of [marker, 'mooring.db', 'mooring.db-journal', `blobs/ab/${hash}`]) {
    writeFileSync(path.join(dir, name), '');
  }
  return dir;
}

it('that a killed backup left is cleared and taken', async () => {
  const dir = killedBackup();
  const target = await claimTarget(dir);
  expect(readdirSync(dir)).toEqual([marker]);
  await expect(claimTarget(dir)).rejects.toThrow('another backup');
  target.release();
  expect(readdirSync(dir)).toEqual([]);
});

it('keeps the files of others beside what a killed backup left, and is refused', async () => {
  const dir = killedBackup();
  writeFileSync(path.join(dir, 'blobs/ab/notes.txt'), 'mine');
  writeFileSync(path.join(dir, 'notes.txt'), 'mine');
  await expect(claimTarget(dir)).rejects.toThrow('is not empty');
  expect(readdirSync(dir, { recursive: true }).sort()).toEqual([
    'blobs',
    'blobs/ab',
    'blobs/ab/notes.txt',
    'notes.txt',
  ]);
});

it('keeps a finished backup whose process died before its marker was gone', async () => {
  const dir = killedBackup();
  writeFileSync(path.join(dir, 'backup.json'), '{}');
  await expect(claimTarget(dir)).rejects.toThrow('is not empty');
  expect(existsSync(path.join(dir, 'blobs/ab', hash))).toBe(true);
});

it('that holds files which no backup left gets no marker', async () => {
  const dir = tempFolder('mooring-backup');
  writeFileSync(path.join(dir, 'mooring.db'), 'mine');
  await expect(claimTarget(dir)).rejects.toThrow('is not empty');
  expect(readdirSync(dir)).toEqual(['mooring.db']);
});

it('is refused while another process writes there, and nothing of that one is touched', async () => {
  const dir = killedBackup();
  const unlock = lockFile(path.join(dir, marker));
  const before = readdirSync(dir, { recursive: true });
  await expect(claimTarget(dir)).rejects.toThrow('another backup');
  expect(readdirSync(dir, { recursive: true })).toEqual(before);
  unlock?.();
});
