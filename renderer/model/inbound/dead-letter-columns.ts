// The columns of Dead letters, and their orders. Pure.
import type { DeadLetter } from '../../../sdk/index.ts';
import type { Column } from '../tables/column-layout.ts';
import { compareNames, type Sort, sortedRows } from '../tables/sorting.ts';
import { causeTitle, splitLastError } from './failure-cause.ts';

export type DeadLetterColumn = 'mark' | 'cause' | 'provider' | 'attempts' | 'failed';

/** The path is in the payload, which the list does not have: it is sorted by its cause. */
export const deadLetterColumns: readonly Column<DeadLetterColumn>[] = [
  { id: 'mark', title: '', widthPx: 24 },
  { id: 'cause', title: 'Path and cause', widthPx: 200, grows: true, firstSort: 'up' },
  { id: 'provider', title: 'Provider', widthPx: 72, leaves: 2, firstSort: 'up' },
  { id: 'attempts', title: 'Attempts', widthPx: 58, atEnd: true, leaves: 3, firstSort: 'down' },
  { id: 'failed', title: 'Failed', widthPx: 52, atEnd: true, leaves: 1, firstSort: 'down' },
];

const causeOf = ({ lastError }: DeadLetter): string => {
  const { cause, text } = splitLastError(lastError);
  return cause === null ? text : causeTitle(cause);
};

const orders: Readonly<Record<DeadLetterColumn, (a: DeadLetter, b: DeadLetter) => number>> = {
  mark: () => 0,
  cause: (a, b) => compareNames(causeOf(a), causeOf(b)),
  provider: (a, b) => compareNames(a.provider, b.provider),
  attempts: (a, b) => a.attemptCount - b.attemptCount,
  failed: (a, b) => Date.parse(a.failedAt) - Date.parse(b.failedAt),
};

/** `sort` null: as they are. */
export function sortedDeadLetters(
  rows: readonly DeadLetter[],
  sort: Sort<DeadLetterColumn> | null,
): readonly DeadLetter[] {
  return sort === null ? rows : sortedRows(rows, sort, orders[sort.id]);
}
