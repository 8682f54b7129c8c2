// The columns of Operations and of Writeback, and their orders. Pure.
import type { Operation } from '../../../sdk/index.ts';
import type { Column } from '../tables/column-layout.ts';
import { compareNames, compareNumbers, type Sort, sortedRows } from '../tables/sorting.ts';
import { operationRank, providerOf } from './outbound-view.ts';

export type OperationColumn = 'mark' | 'state' | 'path' | 'provider' | 'began' | 'took' | 'attempts';

const mark = { id: 'mark', title: '', widthPx: 24 } as const;
const state = { id: 'state', title: 'State', widthPx: 112, firstSort: 'up' } as const;
const path = { id: 'path', title: 'Path', widthPx: 200, grows: true, firstSort: 'up' } as const;

export const operationColumns: readonly Column<OperationColumn>[] = [
  mark,
  state,
  path,
  { id: 'provider', title: 'Provider', widthPx: 80, leaves: 1, firstSort: 'up' },
  { id: 'began', title: 'Began', widthPx: 62, atEnd: true, leaves: 2, firstSort: 'down' },
  { id: 'took', title: 'Took', widthPx: 56, atEnd: true, leaves: 3, firstSort: 'down' },
];

export const writebackColumns: readonly Column<OperationColumn>[] = [
  mark,
  path,
  state,
  { id: 'attempts', title: 'Attempts', widthPx: 58, atEnd: true, leaves: 2, firstSort: 'down' },
  { id: 'began', title: 'When', widthPx: 62, leaves: 1, firstSort: 'down' },
];

/** From the change to its end; null: it has not ended. */
export function tookMsOf({ createdAt, completedAt }: Operation): number | null {
  return completedAt === undefined ? null : Date.parse(completedAt) - Date.parse(createdAt);
}

const orders: Readonly<Record<OperationColumn, (a: Operation, b: Operation) => number>> = {
  mark: () => 0,
  state: (a, b) => operationRank(a) - operationRank(b),
  path: (a, b) => compareNames(a.path ?? '', b.path ?? ''),
  provider: (a, b) => compareNames(providerOf(a), providerOf(b)),
  began: (a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt),
  took: (a, b) => compareNumbers(tookMsOf(a), tookMsOf(b)),
  attempts: (a, b) => a.attemptCount - b.attemptCount,
};

/** `sort` null: as they are. */
export function sortedOperations(
  rows: readonly Operation[],
  sort: Sort<OperationColumn> | null,
): readonly Operation[] {
  if (sort === null) return rows;
  return sortedRows(rows, sort, orders[sort.id], (row) => sort.id !== 'took' || tookMsOf(row) !== null);
}
