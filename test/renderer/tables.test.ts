import { expect, test } from 'vitest';
import { answerParts } from '../../renderer/model/answer-text.ts';
import { sortedEntries } from '../../renderer/model/files/file-columns.ts';
import {
  type Column,
  parseWidths,
  shownColumns,
  templateOf,
  widestOf,
} from '../../renderer/model/tables/column-layout.ts';
import { sortAfterClick, sortedRows, sortOf, sortText } from '../../renderer/model/tables/sorting.ts';
import type { TreeEntry } from '../../server/contract/files.ts';

const columns: readonly Column[] = [
  { id: 'path', title: 'Path', widthPx: 200, grows: true },
  { id: 'provider', title: 'Provider', widthPx: 80, leaves: 1 },
  { id: 'took', title: 'Took', widthPx: 56, leaves: 2 },
];
const shownIn = (roomPx: number, widths = {}): readonly string[] =>
  shownColumns(columns, widths, roomPx).map(({ id }) => id);

test('columns leave by their priority, and a path keeps its 200 px', () => {
  expect(shownIn(36 + 200 + 80 + 56 + 24)).toEqual(['path', 'provider', 'took']);
  expect(shownIn(36 + 200 + 80 + 56 + 23)).toEqual(['path', 'provider']);
  expect(shownIn(36 + 200 + 80 + 11)).toEqual(['path']);
  expect(shownIn(10)).toEqual(['path']);
  expect(shownIn(36 + 200 + 80 + 56 + 24, { provider: 120 })).toEqual(['path', 'provider']);
  expect(templateOf(columns, { took: 90 })).toBe('minmax(0, 1fr) 80px 90px');
  // A column that is made wider takes spare room, never that of the path or of a neighbour.
  const [, provider] = columns;
  if (provider === undefined) throw new Error('no column');
  expect(widestOf(provider, columns, {}, 36 + 200 + 80 + 56 + 24 + 10)).toBe(90);
  expect(widestOf(provider, columns, {}, 36 + 200 + 80 + 56 + 24)).toBe(80);
});

test('what local storage has and is no width is left out', () => {
  expect(parseWidths('{"a":100,"b":"100","c":-1,"d":1e9,"e":null}')).toEqual({ a: 100 });
  for (const text of [null, '', '[', '7', 'null', '"a"']) expect(parseWidths(text)).toEqual({});
});

test('names are sorted as people count, folders first, and turned round', () => {
  const entry = (path: string, type: 'dir' | 'file' = 'file', size = 0): TreeEntry => ({
    path,
    type,
    revision: 'rev_1',
    ...(type === 'file' ? { size } : {}),
  });
  const entries = [
    entry('/b', 'dir'),
    entry('/Discounts.md', 'file', 3),
    entry('/ads.md', 'file', 1),
    entry('/item-10.md', 'file', 2),
    entry('/item-2.md', 'file', 2),
  ];
  const names = (text: string): string =>
    sortedEntries(entries, sortOf(text, ['name', 'size', 'changed']))
      .map(({ path }) => path)
      .join(' ');
  expect(names('')).toBe('/b /ads.md /Discounts.md /item-2.md /item-10.md');
  expect(names('-name')).toBe('/b /item-10.md /item-2.md /Discounts.md /ads.md');
  // Equal sizes keep their order.
  expect(names('-size')).toBe('/b /Discounts.md /item-10.md /item-2.md /ads.md');
  expect(names('no-such-column')).toBe(names(''));
});

test('a row without the value is last in both directions', () => {
  const rows = [{ ms: 2 }, { ms: null }, { ms: 1 }];
  const order = (isDown: boolean): readonly (number | null)[] =>
    sortedRows(
      rows,
      { isDown },
      (a, b) => (a.ms ?? 0) - (b.ms ?? 0),
      ({ ms }) => ms !== null,
    ).map(({ ms }) => ms);
  expect(order(false)).toEqual([1, 2, null]);
  expect(order(true)).toEqual([2, 1, null]);
});

test('the first click sorts in the useful direction, the second turns it round; the address has both', () => {
  const first = sortAfterClick(null, 'size', true);
  expect(sortText(first)).toBe('-size');
  expect(sortText(sortAfterClick(first, 'size', true))).toBe('size');
  expect(sortText(sortAfterClick(first, 'name', false))).toBe('name');
  expect(sortOf('-size', ['size'])).toEqual(first);
});

test('an answer shows its paths, cut in their middle', () => {
  expect(answerParts('Deleted /docs/a.md.')).toEqual([
    { text: 'Deleted ', isPath: false },
    { text: '/docs/a.md', isPath: true },
    { text: '.', isPath: false },
  ]);
  const long = `/${'directory/'.repeat(12)}name.md`;
  const [path] = answerParts(`Moved ${long} to /b.`).filter(({ isPath }) => isPath);
  expect(path?.text).toHaveLength(48);
  expect(path?.text).toMatch(/^\/directory\/.*….*\/name\.md$/u);
  expect(answerParts('3 mirrors paused.')).toEqual([{ text: '3 mirrors paused.', isPath: false }]);
});
