import { expect, it } from 'vitest';
import {
  changeRows,
  chosenPaths,
  committedChanges,
  type RunChange,
} from '../../../../renderer/model/runs/run-changes.ts';
import type { HistoryEntry } from '../../../../sdk/index.ts';
import { parsePathGlob } from '../../../../server/core/paths/path-glob.ts';

const change = (path: string): RunChange => ({
  path,
  kind: 'modified',
  isMoved: false,
  before: 'rev_1',
  after: null,
  contentHash: 'a',
});

it('changes are listed by folder, in the order that people count', () => {
  const rows = changeRows(['/b/10.md', '/b/9.md', '/a.md', '/b/c/x.md'].map(change));
  expect(rows.map((row) => (row.kind === 'heading' ? row.text : row.id))).toEqual([
    '/',
    '/a.md',
    'b/',
    '/b/9.md',
    '/b/10.md',
    'b/c/',
    '/b/c/x.md',
  ]);
});

const paths = ['/a.md', '/docs/one.md', '/docs/two.md', '/docs/deep/three.md', '/src/x.ts'];

/** Those that a commit with these globs takes. */
function committed(globs: readonly string[]): readonly string[] {
  return paths.filter((path) => globs.some((glob) => parsePathGlob(glob)?.(path)));
}

it('the chosen changes, and no others, are named with few globs', () => {
  expect(chosenPaths(paths, new Set())).toEqual({ kind: 'all' });
  expect(chosenPaths(paths, new Set(paths))).toEqual({ kind: 'none' });
  for (let bits = 1; bits < 2 ** paths.length - 1; bits += 1) {
    const excluded = new Set(paths.filter((_, index) => (bits & (1 << index)) !== 0));
    const chosen = chosenPaths(paths, excluded);
    if (chosen.kind !== 'some') throw new Error(chosen.kind);
    expect(committed(chosen.globs)).toEqual(paths.filter((path) => !excluded.has(path)));
  }
  expect(chosenPaths(paths, new Set(['/a.md']))).toEqual({ kind: 'some', globs: ['/docs/', '/src/'] });
});

it('a choice that globs cannot name is refused', () => {
  expect(chosenPaths(['/a*.md', '/ab.md'], new Set(['/ab.md']))).toEqual({ kind: 'ambiguous' });
  expect(chosenPaths(['/a*.md', '/b.md'], new Set(['/b.md']))).toEqual({ kind: 'some', globs: ['/a*.md'] });
  expect(chosenPaths(['/a?/x.md', '/ab/y.md'], new Set(['/ab/y.md']))).toEqual({ kind: 'ambiguous' });
  expect(chosenPaths(['/a', '/a/b'], new Set(['/a/b']))).toEqual({ kind: 'ambiguous' });
  const many = Array.from({ length: 202 }, (_, index) => `/file-${index}.md`);
  expect(chosenPaths(many, new Set(many.slice(0, 101)))).toEqual({ kind: 'too_many' });
  expect(chosenPaths(many, new Set(many.slice(0, 102))).kind).toBe('some');
});

it('of a path that was committed twice the newest entry counts', () => {
  const entry = (path: string, revision: string, action: HistoryEntry['action']) =>
    ({ path, revision, action }) as HistoryEntry;
  const changes = committedChanges([
    entry('/a.md', 'rev_3', 'delete'),
    entry('/b.md', 'rev_2', 'write'),
    entry('/a.md', 'rev_1', 'write'),
  ]);
  expect(changes.map(({ path, kind, after }) => [path, kind, after])).toEqual([
    ['/a.md', 'deleted', 'rev_3'],
    ['/b.md', 'written', 'rev_2'],
  ]);
});
