// The heads of a list's columns: a click sorts, the edge at the right resizes. One tab stop: arrows move between heads, Tab goes to the edge of
// the head that has the focus.
import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { type Column, columnMaxPx, columnMinPx } from '../../model/tables/column-layout.ts';
import { type Sort, sortAfterClick } from '../../model/tables/sorting.ts';
import { Icon } from '../feedback/icon.tsx';
import { Grip } from './grip.tsx';
import type { ColumnLayout } from './use-columns.ts';

export function ColumnHeads<Id extends string>({
  layout,
  sort = null,
  onSort,
}: {
  readonly layout: ColumnLayout<Id>;
  readonly sort?: Sort<Id> | null;
  /** Absent: the list has one order. */
  readonly onSort?: (sort: Sort<Id>) => void;
}): ReactElement {
  const [current, setCurrent] = useState<Id | null>(null);
  const headed = layout.shown.filter(({ title }) => title !== '');
  const tabStop = headed.find(({ id }) => id === current) ?? headed[0];
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    // Enter and Space press the button; the list behind takes only the keys that move through its rows.
    if (!/^(ArrowUp|ArrowDown|PageUp|PageDown|j|k)$/.test(event.key)) event.stopPropagation();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || tabStop === undefined || event.defaultPrevented) return;
    const next = headed[headed.indexOf(tabStop) + step];
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-head="${next.id}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the head of a virtual grid
    <div role="row" tabIndex={-1} className="grid-head" onKeyDown={onKeyDown}>
      {layout.columns.map((column) => (
        <Head
          key={column.id}
          column={column}
          layout={layout}
          sort={sort?.id === column.id ? sort : null}
          isTabStop={column === tabStop}
          onFocus={() => setCurrent(column.id)}
          {...(onSort === undefined || column.firstSort === undefined
            ? {}
            : { onSort: () => onSort(sortAfterClick(sort, column.id, column.firstSort === 'down')) })}
        />
      ))}
    </div>
  );
}

function Head<Id extends string>({
  column,
  layout,
  sort,
  isTabStop,
  onFocus,
  onSort,
}: {
  readonly column: Column<Id>;
  readonly layout: ColumnLayout<Id>;
  /** null: not the sorted column. */
  readonly sort: Sort<Id> | null;
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
  readonly onSort?: () => void;
}): ReactElement {
  const { id, title, atEnd } = column;
  const order = sort === null ? null : sort.isDown ? 'descending' : 'ascending';
  const isLast = layout.shown.at(-1) === column;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the head of a virtual grid
    // biome-ignore lint/a11y/useFocusableInteractive: its button has the focus
    <span
      role="columnheader"
      className={atEnd ? 'column-head at-end' : 'column-head'}
      {...(order === null ? {} : { 'aria-sort': order })}
    >
      {title === '' ? (
        <span className="reader-only">Selection</span>
      ) : onSort === undefined ? (
        <span data-head={id}>{title}</span>
      ) : (
        <button type="button" data-head={id} tabIndex={isTabStop ? 0 : -1} onFocus={onFocus} onClick={onSort}>
          {title}
          {order === null ? null : <Icon of={order === 'ascending' ? 'up' : 'open'} small />}
        </button>
      )}
      {title === '' || column.grows || isLast ? null : (
        <Grip
          label={`Width of ${title}`}
          minPx={columnMinPx}
          maxPx={columnMaxPx}
          valuePx={layout.widthOf(id)}
          tabStop={isTabStop}
          onResize={(px) => layout.resize(id, px)}
          onFit={() => layout.fit(id)}
        />
      )}
    </span>
  );
}
