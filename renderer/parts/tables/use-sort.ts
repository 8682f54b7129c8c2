// The order that a person chose by a column head; the address keeps it.
import { useMemo } from 'react';
import type { ScreenLocation } from '../../location/screen-location.ts';
import { type Column, sortableIds } from '../../model/tables/column-layout.ts';
import { type Sort, sortOf, sortText } from '../../model/tables/sorting.ts';

export interface ColumnSorting<Id extends string = string> {
  /** null: the order of the list itself. */
  readonly sort: Sort<Id> | null;
  onSort(sort: Sort<Id>): void;
}

export function useSort<Id extends string>(
  { field, go }: Pick<ScreenLocation, 'field' | 'go'>,
  columns: readonly Column<Id>[],
): ColumnSorting<Id> {
  const text = field('sort');
  const sort = useMemo(() => sortOf(text, sortableIds(columns)), [text, columns]);
  return {
    sort,
    onSort: (sort) => go({ fields: { sort: sortText(sort) }, replace: true }),
  };
}
