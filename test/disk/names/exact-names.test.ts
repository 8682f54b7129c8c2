// What a disk that folds names is asked before something is written there (docs/sync-rules.md#15).
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../../server/disk/port/file-system.ts';
import { LocalTree } from '../../../server/disk/tree/local-tree.ts';
import { WritePreconditions } from '../../../server/disk/write/write-preconditions.ts';
import { diskError } from '../../support/engine-folder.ts';
import { foldingFileSystem } from '../../support/folding-disk.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function groundOn(root: string, faults: Partial<FileSystem> = {}): WritePreconditions {
  const fs = { ...foldingFileSystem(root), ...faults };
  return new WritePreconditions(fs, LocalTree.from([]), root, true);
}

describe('on a disk that folds names', () => {
  it('nothing is written into a directory that is spelled otherwise', () => {
    const root = tempFolder();
    mkdirSync(`${root}/docs`);
    expect(groundOn(root).ensureDirectories('/docs')).toBeNull();
    expect(groundOn(root).ensureDirectories('/Docs')).toMatchObject({ reason: 'spelling' });
  });

  it('nothing is written into such a directory from which a file of the same batch was to go', () => {
    const root = tempFolder();
    mkdirSync(`${root}/docs`);
    const ground = groundOn(root);
    expect(ground.checkDirectory('/Docs')).toBeNull();
    expect(ground.ensureDirectories('/Docs/deep')).toMatchObject({ reason: 'spelling' });
    expect(foldingFileSystem(root).list(`${root}/docs`).names).toEqual([]);
  });

  it('nothing is written where the disk refuses to tell how names are spelled', () => {
    const root = tempFolder();
    mkdirSync(`${root}/docs`);
    const refusing = groundOn(root, {
      list: () => {
        throw diskError('EIO');
      },
    });
    expect(() => refusing.ensureDirectories('/Docs/deep')).toThrow('EIO');
    expect(foldingFileSystem(root).list(`${root}/docs`).names).toEqual([]);
  });
});
