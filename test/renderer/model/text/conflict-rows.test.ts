import { describe, expect, it } from 'vitest';
import {
  clashKey,
  type Decision,
  type GridRow,
  gridRows,
  linesOf,
  mergedText,
  type Piece,
  type Texts,
  twoWayPieces,
} from '../../../../renderer/model/text/conflict-rows.ts';

const at = (start: number, count: number) => ({ start, count });

/** Base `a b c d`; the folder changed b, the workspace added x after c; both changed d differently. */
const texts: Texts = {
  base: linesOf('a\nb\nc\nd'),
  folder: linesOf('a\nB\nc\nD1'),
  workspace: linesOf('a\nb\nc\nx\nD2'),
};
const pieces: readonly Piece[] = [
  { kind: 'same', base: at(0, 1), folder: at(0, 1), workspace: at(0, 1) },
  { kind: 'folder', base: at(1, 1), folder: at(1, 1), workspace: at(1, 1) },
  { kind: 'same', base: at(2, 1), folder: at(2, 1), workspace: at(2, 1) },
  { kind: 'clash', base: at(3, 1), folder: at(3, 1), workspace: at(3, 2) },
];
const clash = pieces[3] as Piece;
const decided = (decision: Decision) => new Map([[clashKey(clash, texts), decision]]);

describe('a merge', () => {
  it('takes what one side changed and waits for what clashes', () => {
    expect(mergedText(pieces, texts, new Map())).toEqual({ text: null, undecided: 1 });
    expect(mergedText(pieces, texts, decided({ side: 'folder' })).text).toBe('a\nB\nc\nD1');
    expect(mergedText(pieces, texts, decided({ side: 'workspace' })).text).toBe('a\nB\nc\nx\nD2');
    expect(mergedText(pieces, texts, decided({ side: 'base' })).text).toBe('a\nB\nc\nd');
  });

  it('takes what was typed, with a line end where more follows', () => {
    expect(mergedText(pieces, texts, decided({ text: 'mine' })).text).toBe('a\nB\nc\nmine');
    const followed = [
      clash,
      { kind: 'same', base: at(2, 1), folder: at(2, 1), workspace: at(2, 1) },
    ] as const;
    expect(mergedText(followed, texts, decided({ text: 'mine' })).text).toBe('mine\nc\n');
    expect(mergedText(followed, texts, decided({ text: '' })).text).toBe('c\n');
  });

  it('knows a clash by its lines, wherever it stands now', () => {
    const moved: Texts = { ...texts, folder: ['new\n', ...texts.folder] };
    const piece: Piece = { ...clash, folder: at(4, 1) };
    expect(clashKey(piece, moved)).toBe(clashKey(clash, texts));
  });
});

describe('the grid', () => {
  const shape = (rows: readonly GridRow[]) =>
    rows.map((row) =>
      row.kind === 'fold'
        ? `fold ${row.count}`
        : (['folder', 'base', 'workspace'] as const).map((side) => row.cells[side]?.text ?? '-').join(' '),
    );

  it('keeps lines level and leaves a gap where a side has none', () => {
    expect(shape(gridRows(pieces, texts, new Set()))).toEqual([
      'a a a',
      'B b b',
      'c c c',
      'D1 d x',
      '- - D2',
    ]);
  });

  it('folds what is alike and far from a change, until it is asked for', () => {
    const many = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const long: Texts = { folder: [...many, 'l'], base: [...many, 'b'], workspace: [...many, 'r'] };
    const cut: readonly Piece[] = [
      { kind: 'same', base: at(0, 20), folder: at(0, 20), workspace: at(0, 20) },
      { kind: 'clash', base: at(20, 1), folder: at(20, 1), workspace: at(20, 1) },
    ];
    expect(shape(gridRows(cut, long, new Set()))).toEqual([
      'fold 17',
      '17 17 17',
      '18 18 18',
      '19 19 19',
      'l b r',
    ]);
    expect(gridRows(cut, long, new Set([0]))).toHaveLength(21);
  });
});

describe('two texts without a base', () => {
  const rebuilt = (pieces: readonly Piece[], side: 'folder' | 'workspace', lines: readonly string[]) =>
    pieces.flatMap((piece) => lines.slice(piece[side].start, piece[side].start + piece[side].count)).join('');

  it.each([
    ['', ''],
    ['a\n', ''],
    ['a\nb\nc\n', 'a\nx\nc\n'],
    ['a\nb\nc\nd\ne\n', 'b\nc\nx\ne\nf'],
    ['same\n', 'same\n'],
    ['one', 'two'],
  ])('%j and %j: every line of both is in exactly one piece', (left, right) => {
    const folder = linesOf(left);
    const workspace = linesOf(right);
    const found = twoWayPieces(folder, workspace);
    expect([rebuilt(found, 'folder', folder), rebuilt(found, 'workspace', workspace)]).toEqual([left, right]);
    for (const piece of found.filter((each) => each.kind === 'same')) {
      expect(rebuilt([piece], 'folder', folder)).toBe(rebuilt([piece], 'workspace', workspace));
    }
  });

  it('finds the lines that stayed between two changes', () => {
    const found = twoWayPieces(linesOf('a\nkeep\nb\n'), linesOf('x\nkeep\ny\n'));
    expect(found.map((piece) => piece.kind)).toEqual(['clash', 'same', 'clash']);
  });
});
