// The columns of Files, and their orders: folders first, names as people count. Pure.
import type { TreeEntry } from '../../../server/contract/files.ts';
import type { Column } from '../tables/column-layout.ts';
import { compareNames, compareNumbers, type Sort, sortedRows } from '../tables/sorting.ts';
import { nameOf } from './path.ts';
import { shownSize } from './stored-size.ts';

export type FileColumn = 'name' | 'size' | 'changed';

/** Comparing names as people do takes a millisecond for a thousand; a longer folder keeps the order of its characters. */
export const namesComparedMax = 5_000;

export const fileColumns: readonly Column<FileColumn>[] = [
  { id: 'name', title: 'Name', widthPx: 200, grows: true, firstSort: 'up' },
  { id: 'size', title: 'Size', widthPx: 58, atEnd: true, leaves: 2, firstSort: 'down' },
  { id: 'changed', title: 'Changed', widthPx: 74, leaves: 1, firstSort: 'down' },
];

const byName = (a: TreeEntry, b: TreeEntry): number => compareNames(nameOf(a.path), nameOf(b.path));
const changedMs = ({ updatedAt }: TreeEntry): number | null =>
  updatedAt === undefined ? null : Date.parse(updatedAt);

const orders: Readonly<Record<FileColumn, (a: TreeEntry, b: TreeEntry) => number>> = {
  name: byName,
  size: (a, b) => compareNumbers(shownSize(a), shownSize(b)),
  changed: (a, b) => compareNumbers(changedMs(a), changedMs(b)),
};

/** `entries`: folders first, in the order of their characters; that order stays for equal values. `sort` null: by name. */
export function sortedEntries(
  entries: readonly TreeEntry[],
  sort: Sort<FileColumn> | null,
): readonly TreeEntry[] {
  const { id, isDown } = sort ?? { id: 'name', isDown: false };
  const cut = entries.findIndex(({ type }) => type !== 'dir');
  const parts = cut < 0 ? [entries] : [entries.slice(0, cut), entries.slice(cut)];
  return parts.flatMap((part) => {
    if (id === 'name' && part.length > namesComparedMax) return isDown ? part.toReversed() : part;
    return sortedRows(part, { isDown }, orders[id]);
  });
}
