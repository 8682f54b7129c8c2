import { describe, expect, it, vi } from 'vitest';
import type { NameRules } from '../../../server/disk/port/folder.ts';
import { fileBytesMaxDefault } from '../../../server/mirror/state/context.ts';
import { MirrorTrees } from '../../../server/mirror/state/trees.ts';
import { UnsyncableRules } from '../../../server/mirror/state/unsyncable.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import type { BaseRow } from '../../../server/store/port/store.ts';

const folding: NameRules = {
  foldsCase: true,
  foldsUnicode: true,
  decomposes: false,
  windows: false,
  pathBytesMax: 4096,
  rootBytes: 10,
};
const file = { hash: 'h', revision: 1, sizeBytes: 1 };

function row(path: string): BaseRow {
  return {
    path,
    hash: 'h',
    sizeBytes: 1,
    mtimeNs: '1',
    ctimeNs: '1',
    inode: '1',
    mode: 0o644,
    revision: 1,
    trusted: true,
  };
}

function rulesOf(trees: MirrorTrees): UnsyncableRules {
  return new UnsyncableRules(folding, trees, fileBytesMaxDefault, () => false);
}

describe('what stays out of a folder whose disk folds names', () => {
  it('is not what only a bare directory was once in the way of', () => {
    const trees = new MirrorTrees([]);
    // The disk said so when something was to be written there; that it went since, no scan tells.
    trees.setLocal('/Docs', { kind: 'directory' });
    trees.setWorkspace('/docs', file);
    expect(rulesOf(trees).reason('/docs', file)).toBeNull();
  });

  it('is the newcomer, not the file that is there already', () => {
    const trees = new MirrorTrees([row('/readme.md')]);
    trees.setWorkspace('/README.md', file);
    const rules = rulesOf(trees);
    expect(rules.reason('/README.md', file)).toMatchObject({ kind: 'collision' });
    expect(rules.reason('/readme.md', file)).toBeNull();
  });

  it('is the second by name when both are new, and none once the first is gone', async () => {
    const trees = new MirrorTrees([]);
    trees.setWorkspace('/b', file);
    trees.setWorkspace('/B', file);
    const rules = rulesOf(trees);
    expect(rules.reason('/B', file)).toBeNull();
    expect(rules.reason('/b', file)).toMatchObject({ kind: 'collision' });
    trees.setWorkspace('/B', null);
    rules.forget();
    await rules.prepare(systemClock);
    expect(rules.reason('/b', file)).toBeNull();
  });

  it('is decided for each change without a look at the whole folder', async () => {
    const trees = new MirrorTrees(Array.from({ length: 100 }, (_, n) => row(`/d/${n}`)));
    const rules = rulesOf(trees);
    const listed = vi.spyOn(trees, 'basePaths');
    for (const name of ['/D/0', '/d/new', '/e']) {
      trees.setWorkspace(name, { ...file, hash: 'other' });
      rules.forget();
      await rules.prepare(systemClock);
    }
    expect(rules.reason('/D/0', { ...file, hash: 'other' })).toMatchObject({ kind: 'collision' });
    expect(rules.reason('/d/new', { ...file, hash: 'other' })).toBeNull();
    expect(listed).toHaveBeenCalledTimes(1);
  });

  it('is not what only fails to come for another reason', () => {
    const trees = new MirrorTrees([]);
    trees.setLocal('/docs', { kind: 'file', ...row('/docs') });
    trees.setWorkspace('/Docs/a', file);
    trees.setWorkspace('/docs/a', file);
    const rules = rulesOf(trees);
    expect(rules.reason('/Docs/a', file)).toMatchObject({ kind: 'collision' });
    expect(rules.reason('/docs/a', file)).toBeNull();
  });

  it('is a file that is too large', () => {
    const rules = new UnsyncableRules(
      { ...folding, foldsCase: false, foldsUnicode: false },
      new MirrorTrees([]),
      fileBytesMaxDefault,
      () => false,
    );
    expect(rules.reason('/a', { ...file, sizeBytes: 64 * 1024 * 1024 + 1 })).toMatchObject({
      kind: 'too_large',
    });
    expect(rules.reason('/a', { ...file, sizeBytes: 64 * 1024 * 1024 })).toBeNull();
  });
});
