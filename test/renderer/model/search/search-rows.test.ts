import { expect, it } from 'vitest';
import {
  closestNames,
  type FoundFile,
  marksOf,
  moreLines,
  resultText,
  rowPx,
  searchRows,
  shownLine,
} from '../../../../renderer/model/search/search-rows.ts';
import { textParts } from '../../../../renderer/model/text/text-parts.ts';

const file = (path: string, lines: number, score = 0.5): FoundFile => ({
  workspaceId: 'rw_1',
  path,
  revision: 'rev_1',
  contentType: 'text/plain',
  score,
  moreMatches: false,
  matches: Array.from({ length: lines }, (_, index) => ({
    line: index + 1,
    text: 'a fee',
    ranges: [{ start: 2, end: 5 }],
  })),
});
const found = { hasMoreNames: false, hasMoreContents: false };

it('headings are shown only where names and contents are', () => {
  const rows = searchRows({ ...found, names: [file('/fee.md', 0)], contents: [file('/a.md', 5)] });
  expect(rows.map(({ kind }) => kind)).toEqual(['heading', 'name', 'heading', 'content']);
  expect(searchRows({ ...found, names: [], contents: [file('/a.md', 5)] })).toHaveLength(1);
  expect(rows.map(rowPx)).toEqual([30, 32, 30, 34 + 3 * 22 + 20 + 8]);
});

it('says how many files and lines, and what the list omits', () => {
  expect(resultText({ ...found, names: [file('/a.md', 0)], contents: [file('/a.md', 5)] })).toBe(
    '1 file, 5 lines',
  );
  expect(
    resultText({ names: [file('/a.md', 0)], contents: [], hasMoreNames: true, hasMoreContents: false }),
  ).toBe('First 1 file');
  expect(moreLines(file('/a.md', 5))).toBe('2 further lines');
  expect(moreLines(file('/a.md', 3))).toBeNull();
  expect(moreLines({ ...file('/a.md', 20), moreMatches: true })).toBe('More than 17 further lines');
});

it('names with scattered characters are shown only where no name is close', () => {
  const scattered = file('/server/counts.ts', 0, 0.12);
  expect(closestNames([file('/fee.md', 0, 0.9), scattered])).toHaveLength(1);
  expect(closestNames([scattered])).toEqual([scattered]);
});

it('a line is shown from its first match, without its indentation', () => {
  const line = (text: string, start: number) =>
    shownLine({ line: 1, text, ranges: [{ start, end: start + 3 }] });
  expect(line('    a fee', 6)).toEqual({ text: 'a fee', ranges: [{ start: 2, end: 5 }], isCut: false });
  const long = `${'word '.repeat(20)}fee`;
  const cut = line(long, 100);
  expect(cut.isCut).toBe(true);
  expect(cut.text.slice(cut.ranges[0]?.start, cut.ranges[0]?.end)).toBe('fee');
  expect(cut.text).toMatch(/^word /);
});

it('marks are positions in the whole line, also of a line that the agent has cut', () => {
  const item = {
    ...file('/a.md', 0),
    matches: [{ line: 7, text: 'fee', offset: 900, ranges: [{ start: 0, end: 3 }] }],
  };
  expect(marksOf(item).get(7)).toEqual([{ start: 900, end: 903 }]);
});

it('ranges may overlap or be outside of the text', () => {
  const parts = textParts('abcdef', [
    { start: 4, end: 9 },
    { start: -3, end: 1 },
    { start: 0, end: 2 },
    { start: 7, end: 8 },
  ]);
  expect(parts.map(({ text }) => text).join('')).toBe('abcdef');
  expect(parts.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual(['a', 'b', 'ef']);
});
