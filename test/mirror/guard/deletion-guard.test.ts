// Limits of the deletion guard, and the identity of the root.
import { describe, expect, test } from 'vitest';
import { allSteps } from '../../../server/core/paths/steps.ts';
import { reconcile } from '../../../server/core/sync/reconcile.ts';
import type { FolderFile, RootState } from '../../../server/disk/port/folder.ts';
import { DeletionGuard } from '../../../server/mirror/guard/deletion-guard.ts';
import { checkDeletions, checkRoot, resolveDeletionLimit } from '../../../server/mirror/guard/halt-causes.ts';
import { baseRow, MirrorTrees } from '../../../server/mirror/state/trees.ts';

const twelve = {
  tracked: 12,
  left: 4,
  deletes: 6,
  leaving: 0,
  recentDeletes: 0,
  recentTruncations: 0,
  deletesPerMinuteMax: 1000,
};

test.each([
  ['half of the files', twelve, null],
  ['half of the files, and more that have just vanished', { ...twelve, leaving: 2 }, 'mass_delete'],
  ['half of the files, and more a moment ago', { ...twelve, tracked: 10, recentDeletes: 6 }, 'mass_delete'],
  ['half of the files, and more truncated a moment ago', { ...twelve, recentTruncations: 1 }, 'mass_delete'],
  ['the last files', { ...twelve, left: 0 }, 'emptied'],
  [
    'one of two files, while the other has just vanished',
    { ...twelve, tracked: 2, left: 1, deletes: 1, leaving: 1 },
    'emptied',
  ],
  ['one of two files', { ...twelve, tracked: 2, left: 1, deletes: 1 }, null],
  [
    'few of many files, but too many for a minute',
    { ...twelve, tracked: 9000, left: 7999, deletes: 1001 },
    'delete_rate',
  ],
  [
    'the same, slowly',
    { ...twelve, tracked: 9000, left: 7999, deletes: 1, recentDeletes: 1000 },
    'delete_rate',
  ],
  [
    'few of many files, and many truncated a moment ago',
    { ...twelve, tracked: 9000, left: 7999, deletes: 1, recentTruncations: 1000 },
    'delete_rate',
  ],
  ['nothing that would be deleted', { ...twelve, deletes: 0, leaving: 12, left: 0 }, null],
] as const)('%s', (_, loss, cause) => {
  expect(checkDeletions(loss)).toBe(cause);
});

const known = { markerId: 'marker', rootDevice: '1', rootInode: '2' };
const present = { kind: 'present', device: '1', inode: '2', markerId: 'marker' } as const;

test.each<[string, RootState, ReturnType<typeof checkRoot>]>([
  ['the mirrored folder', present, 'same'],
  ['its disk mounted anew', { ...present, device: '9', inode: '9' }, 'same'],
  ['its marker is gone', { ...present, markerId: null }, 'unmarked'],
  ['another folder that got its inode', { ...present, markerId: 'other' }, 'root_replaced'],
  ['another folder without a marker', { ...present, inode: '3', markerId: null }, 'root_replaced'],
  ['another disk without a marker', { ...present, device: '3', markerId: null }, 'root_replaced'],
  ['nothing', { kind: 'missing' }, 'root_missing'],
  ['a file', { kind: 'not_directory' }, 'root_not_directory'],
  ['no access', { kind: 'unreadable', detail: 'EACCES' }, 'root_unreadable'],
])('the root is %s', (_, root, verdict) => {
  expect(checkRoot(root, known)).toBe(verdict);
});

test('a setting that is missing means the safe number', () => {
  expect([null, 5].map(resolveDeletionLimit)).toEqual([1000, 5]);
});

describe('a directory that was renamed, and whose new name was seen first', () => {
  const file = (n: number): FolderFile => ({
    kind: 'file',
    hash: String(n).padStart(64, '0'),
    sizeBytes: 10,
    mtimeNs: '1',
    ctimeNs: '1',
    inode: `1${n}`,
    mode: 0o644,
    trusted: true,
  });
  /** Twelve files; `renamed` of them are sent already under the new name, and all are missing under the old one. */
  const losing = (renamed: number) => {
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    const trees = new MirrorTrees([
      ...numbers.map((n) => baseRow(`/d/${n}`, file(n), 1)),
      ...numbers.slice(0, renamed).map((n) => baseRow(`/e/${n}`, file(n), 2)),
    ]);
    for (const n of numbers) trees.setLocal(`/d/${n}`, null);
    const guard = new DeletionGuard({ monotonicMs: () => 0 }, trees, 1000);
    const counts = () => ({ tracked: trees.tracked, left: trees.localFiles, leaving: 0, unmarked: false });
    const check = (paths: readonly string[]) =>
      allSteps(guard.check(reconcile(trees.forPlanner(paths, () => false)), counts(), null)).cause;
    return { trees, guard, check, old: numbers.map((n) => `/d/${n}`) };
  };

  test('lost nothing, and counts for nothing afterwards', () => {
    const { trees, guard, check, old } = losing(11);
    expect(check(old)).toBeNull();
    guard.recordApplied();
    trees.setLocal('/e/1', null);
    expect(check(['/e/1'])).toBeNull();
  });

  test('lost what it does not have under the new name either', () => {
    const { check, old } = losing(2);
    expect(check(old)).toBe('mass_delete');
  });
});
