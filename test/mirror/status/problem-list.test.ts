// The list of a mirror's problems: complete in pages, fair in its beginning, and bounded in what it keeps.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MirrorProblem } from '../../../server/contract/workspaces.ts';
import {
  isProblemCursor,
  ProblemList,
  problemsListedMax,
} from '../../../server/mirror/status/problem-list.ts';

function problemAt(kind: string, path: string, cause = 'why'): MirrorProblem {
  return { kind, path, cause, next: 'what', retryAt: null };
}

function listOf(problems: readonly MirrorProblem[]): ProblemList {
  const list = new ProblemList();
  for (const problem of problems) list.add(problem);
  return list;
}

function named({ kind, path, cause }: MirrorProblem): string {
  return `${kind} ${path} ${cause}`;
}

test('lists every problem once, page after page, also several at one path', () => {
  const problem = fc
    .tuple(
      fc.constantFrom('conflict', 'symlink', 'unreadable'),
      fc.constantFrom('/', '/a', '/a:1:/b', '/b\n'),
      fc.nat(3),
    )
    .map(([kind, path, cause]) => problemAt(kind, path, String(cause)));
  fc.assert(
    fc.property(fc.array(problem, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (problems, limit) => {
      const list = listOf(problems);
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        expect(isProblemCursor(cursor)).toBe(true);
        const page = list.page(null, cursor, limit);
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...page.items.map(named));
        cursor = page.nextCursor;
      }
      expect(seen.sort()).toEqual(problems.map(named).sort());
    }),
  );
});

test('shows some of each cause first, and all of them in their order where they fit', () => {
  const links = Array.from({ length: 500 }, (_, n) => problemAt('symlink', `/l${n}`));
  const list = listOf([...links, problemAt('unreadable', '/u'), problemAt('name', '/n')]);
  const first = list.first(100).map(({ kind }) => kind);
  expect(first).toHaveLength(100);
  expect(first.slice(-2)).toEqual(['unreadable', 'name']);
  expect(listOf(links.slice(0, 100)).first(100)).toEqual(links.slice(0, 100));
  expect(list.groups().map(({ kind, count }) => `${kind} ${count}`)).toEqual([
    'name 1',
    'unreadable 1',
    'symlink 500',
  ]);
});

test('keeps so many of a cause, counts the others, and takes no time for it', () => {
  const list = new ProblemList();
  const startedMs = performance.now();
  for (let n = 0; n < 100_000; n += 1) list.add(problemAt('symlink', `/d${n % 5000}/e/f${n}`));
  const [group] = list.groups();
  expect(performance.now() - startedMs).toBeLessThan(20_000);
  expect(group).toMatchObject({ kind: 'symlink', count: 100_000, listed: problemsListedMax, next: 'what' });
  expect(list.count).toBe(100_000);
  expect(list.page('symlink', '', 10_000).items).toHaveLength(problemsListedMax);
});

test('knows a cursor of its own', () => {
  expect(['', 'symlink:1:/a', 'x', 'symlink:1:a', 'symlink::/a', '1:1:/a'].map(isProblemCursor)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
