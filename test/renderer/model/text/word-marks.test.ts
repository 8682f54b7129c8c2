import { expect, it } from 'vitest';
import { changeComparison } from '../../../../renderer/model/text/conflict-rows.ts';
import { lineCounts, unifiedLines } from '../../../../renderer/model/text/unified-diff.ts';
import { wordMarks } from '../../../../renderer/model/text/word-marks.ts';
import { changedWords } from '../../../../server/core/merge/word-diff.ts';

const marked = (line: string, ranges: readonly { start: number; end: number }[] | undefined) =>
  ranges?.map(({ start, end }) => line.slice(start, end));

it('the words that differ are marked, neighbours as one', () => {
  const before = 'The port captain sets the fee of a slip.';
  const after = 'The harbour master sets the fee of a berth.';
  const words = changedWords(before, after);
  expect(marked(before, words?.before)).toEqual(['port captain', 'slip']);
  expect(marked(after, words?.after)).toEqual(['harbour master', 'berth']);
});

it('lines with little in common, equal lines and very long lines are not compared by words', () => {
  expect(changedWords('one two three', 'four five six')).toBeNull();
  expect(changedWords('same', 'same')).toBeNull();
  expect(changedWords('a '.repeat(2_000), `${'a '.repeat(2_000)}b`)).toBeNull();
});

it('each removed line is compared with the added line that replaces it', () => {
  const lines = unifiedLines(
    changeComparison('a fee 1\nb fee 2\nend\n', 'a fee 3\nb fee 4\nc\nend\n'),
    new Set(),
  );
  const marks = wordMarks(lines);
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'removed a fee 1',
    'removed b fee 2',
    'added a fee 3',
    'added b fee 4',
    'added c',
    'same end',
  ]);
  expect([...marks].map(([index, ranges]) => marked(lines[index]?.text ?? '', ranges))).toEqual([
    ['1'],
    ['3'],
    ['2'],
    ['4'],
  ]);
  expect(lineCounts(lines)).toEqual({ added: 3, removed: 2 });
});

it('unchanged lines are folded, and shown on request with their numbers', () => {
  const lines = (change: string) =>
    `${[...Array.from({ length: 20 }, (_, index) => `line ${index + 1}`), change].join('\n')}\n`;
  const comparison = changeComparison(lines('old'), lines('new'));
  const folded = unifiedLines(comparison, new Set());
  expect(folded[0]?.fold).toEqual({ hunk: 0, count: 17 });
  expect(folded.slice(1).map(({ before, after }) => [before, after])).toEqual([
    [18, 18],
    [19, 19],
    [20, 20],
    [21, null],
    [null, 21],
  ]);
  expect(unifiedLines(comparison, new Set([0]))).toHaveLength(22);
});

it('a new file has added lines only, and a deleted one removed lines only', () => {
  expect(lineCounts(unifiedLines(changeComparison('', 'a\nb\n'), new Set()))).toEqual({
    added: 2,
    removed: 0,
  });
  expect(lineCounts(unifiedLines(changeComparison('a\nb\n', ''), new Set()))).toEqual({
    added: 0,
    removed: 2,
  });
});
