// Where most of many paths are, in few words and with bounded memory.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countedDirectoriesMax, DirectoryTally } from '../../../server/core/sync/directory-counts.ts';
import { problemSummary } from '../../../server/core/sync/problem-summary.ts';

function largest(counts: Readonly<Record<string, number>>, max = 5): readonly string[] {
  const tally = new DirectoryTally();
  for (const [directory, count] of Object.entries(counts))
    for (let n = 0; n < count; n += 1) tally.add(`${directory === '/' ? '' : directory}/${n}`);
  return tally.largest(max).map(({ path, count }) => `${path} ${count}`);
}

test.each<[string, Readonly<Record<string, number>>, readonly string[]]>([
  ['nothing', {}, []],
  ['one directory', { '/a/b/c': 3 }, ['/a/b/c 3']],
  ['the root alone', { '/': 3 }, ['/ 3']],
  ['most of them in the root', { '/': 5, '/a': 2 }, ['/ 5', '/a 2']],
  ['a directory that holds half of what is above it', { '/a/b': 5, '/a/c': 5 }, ['/a/b 5', '/a/c 5']],
  ['directories of which none holds half', { '/a/b': 2, '/a/c': 2, '/a/d': 2 }, ['/a 6']],
  [
    'the issue',
    { '/share/zoneinfo': 1000, '/share/zoneinfo/posix': 790, '/lib': 9 },
    ['/share/zoneinfo 1790', '/lib 9'],
  ],
  ['a name that begins like another', { '/a': 3, '/ab': 2 }, ['/a 3', '/ab 2']],
])('%s', (_, counts, expected) => {
  expect(largest(counts)).toEqual(expected);
});

test('names no more directories than were asked for, none twice, and counts no path twice', () => {
  const directory = fc
    .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 })
    .map((names) => `/${names.join('/')}`);
  fc.assert(
    fc.property(
      fc.array(directory, { maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      (directories, max) => {
        const tally = new DirectoryTally();
        for (const each of directories) tally.add(each === '/' ? '/x' : `${each}/x`);
        const found = tally.largest(max);
        expect(found.length).toBeLessThanOrEqual(max);
        expect(new Set(found.map(({ path }) => path)).size).toBe(found.length);
        const sum = found.reduce((all, { count }) => all + count, 0);
        expect(sum).toBeLessThanOrEqual(directories.length);
        if (found.length < max) expect(sum).toBe(directories.length);
      },
    ),
  );
});

test('counts the paths of more directories than it remembers in those above them', () => {
  const tally = new DirectoryTally();
  tally.add('/all/first');
  for (let n = 0; n < countedDirectoriesMax * 2; n += 1) tally.add(`/all/d${n}/link`);
  const [all, ...others] = tally.largest(5);
  expect(all).toEqual({ path: '/all', count: countedDirectoriesMax * 2 + 1 });
  expect(others).toEqual([]);
});

test('says how many there are of what, and where most of them are', () => {
  const directories = [{ path: '/share/zoneinfo', count: 1790 }];
  expect(problemSummary('symlink', 3936, directories)).toBe(
    '3,936 symbolic links are not synced; largest: share/zoneinfo (1,790)',
  );
  expect(problemSummary('unreadable', 1, [])).toBe('1 file cannot be read');
  expect(problemSummary('new_kind', 2, [])).toBe('2 problems of the cause new_kind');
});
