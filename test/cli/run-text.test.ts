// What `mooring run` prints of a folder that is not synced as a whole.
import { expect, test } from 'vitest';
import type { RunFolder } from '../../sdk/index.ts';
import { hasRefused, problemLines } from '../../server/cli/shared/run-text.ts';

function folderWith(...problems: readonly { readonly kind: string; readonly count: number }[]): RunFolder {
  const problemList = problems.map(({ kind }) => ({
    kind,
    path: `/of-${kind}`,
    cause: 'The run is full: a fork changes at most 10000 paths.',
    next: 'Delete files.',
    retryAt: null,
  }));
  return { mirror: { problemList, problemGroups: problems } } as unknown as RunFolder;
}

test('a change that the run did not take is named with cause and remedy, a link is only counted', () => {
  const folder = folderWith({ kind: 'symlink', count: 3 }, { kind: 'refused', count: 377 });
  expect(problemLines(folder)).toEqual([
    'Not synced: 3 (symlink).',
    'Not synced: 377 (refused): /of-refused: The run is full: a fork changes at most 10000 paths. Delete files.',
  ]);
  expect(hasRefused(folder)).toBe(true);
  expect(hasRefused(folderWith({ kind: 'symlink', count: 3 }))).toBe(false);
});
