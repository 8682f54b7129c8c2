import { describe, expect, it } from 'vitest';
import {
  type Comparison,
  type GridRow,
  gridRows,
  hunkKey,
  twoWayHunks,
} from '../../../../renderer/model/text/conflict-rows.ts';
import { linesOf } from '../../../../server/core/merge/line-diff.ts';
import type { MergeHunk } from '../../../../server/core/merge/three-way-merge.ts';

const at = (start: number, count: number) => ({ start, count });

/** Base `a b c d`; mine changed b, theirs added x after c; both changed d differently. */
const versions = {
  base: linesOf('a\nb\nc\nd'),
  mine: linesOf('a\nB\nc\nD1'),
  theirs: linesOf('a\nb\nc\nx\nD2'),
};
const conflict: MergeHunk = { kind: 'clash', base: at(3, 1), mine: at(3, 1), theirs: at(3, 2) };
const hunks: readonly MergeHunk[] = [
  { kind: 'same', base: at(0, 1), mine: at(0, 1), theirs: at(0, 1) },
  { kind: 'mine', base: at(1, 1), mine: at(1, 1), theirs: at(1, 1) },
  { kind: 'same', base: at(2, 1), mine: at(2, 1), theirs: at(2, 1) },
  conflict,
];

it('a conflict is identified by its lines, not by their numbers', () => {
  const moved = { versions: { ...versions, mine: ['new\n', ...versions.mine] } };
  expect(hunkKey(moved, { ...conflict, mine: at(4, 1) })).toBe(hunkKey({ versions }, conflict));
});

describe('the grid', () => {
  const shape = (rows: readonly GridRow[]) =>
    rows.map((row) =>
      row.kind === 'fold'
        ? `fold ${row.count}`
        : (['mine', 'base', 'theirs'] as const).map((side) => row.cells[side]?.text ?? '-').join(' '),
    );

  it('aligns lines and leaves a gap where a version has none', () => {
    expect(shape(gridRows({ hunks, versions }, new Set()))).toEqual([
      'a a a',
      'B b b',
      'c c c',
      'D1 d x',
      '- - D2',
    ]);
  });

  it('folds unchanged lines far from a change until they are unfolded', () => {
    const many = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const long: Pick<Comparison, 'hunks' | 'versions'> = {
      versions: { mine: [...many, 'l'], base: [...many, 'b'], theirs: [...many, 'r'] },
      hunks: [
        { kind: 'same', base: at(0, 20), mine: at(0, 20), theirs: at(0, 20) },
        { kind: 'clash', base: at(20, 1), mine: at(20, 1), theirs: at(20, 1) },
      ],
    };
    expect(shape(gridRows(long, new Set()))).toEqual([
      'fold 17',
      '17 17 17',
      '18 18 18',
      '19 19 19',
      'l b r',
    ]);
    expect(gridRows(long, new Set([0]))).toHaveLength(21);
  });
});

describe('two texts without a base', () => {
  const rebuilt = (all: readonly MergeHunk[], side: 'mine' | 'theirs', lines: readonly string[]) =>
    all.flatMap((hunk) => lines.slice(hunk[side].start, hunk[side].start + hunk[side].count)).join('');

  it.each([
    ['', ''],
    ['a\n', ''],
    ['a\nb\nc\n', 'a\nx\nc\n'],
    ['a\nb\nc\nd\ne\n', 'b\nc\nx\ne\nf'],
    ['same\n', 'same\n'],
    ['one', 'two'],
  ])('%j and %j: every line of both is in exactly one hunk', (left, right) => {
    const mine = linesOf(left);
    const theirs = linesOf(right);
    const all = twoWayHunks(mine, theirs);
    expect([rebuilt(all, 'mine', mine), rebuilt(all, 'theirs', theirs)]).toEqual([left, right]);
    for (const hunk of all.filter((each) => each.kind === 'same')) {
      expect(rebuilt([hunk], 'mine', mine)).toBe(rebuilt([hunk], 'theirs', theirs));
    }
  });

  it('keeps unchanged lines between two changes', () => {
    const all = twoWayHunks(linesOf('a\nkeep\nb\n'), linesOf('x\nkeep\ny\n'));
    expect(all.map((hunk) => hunk.kind)).toEqual(['clash', 'same', 'clash']);
  });

  it('keeps the common first and last lines if the comparison exceeds the work limit', () => {
    const lines = (step: number) => Array.from({ length: 2503 }, (_, index) => `${(index * step) % 2503}\n`);
    const all = twoWayHunks(['head\n', ...lines(1), 'tail'], ['head\n', ...lines(7), 'tail']);
    expect(all.map(({ kind, mine }) => [kind, mine.count])).toEqual([
      ['same', 2],
      ['clash', 2502],
      ['same', 1],
    ]);
  });
});
