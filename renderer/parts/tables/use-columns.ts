// The columns of a list: those that fit, with the widths that a person has chosen. Rows are not rendered again when a width changes: they take
// `--columns` from the frame, and hide by `without-N` what does not fit.
import { type CSSProperties, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import {
  type Column,
  type ColumnWidths,
  columnMinPx,
  parseWidths,
  shownColumns,
  templateOf,
  widestOf,
  widthOf,
} from '../../model/tables/column-layout.ts';

export interface ColumnLayout<Id extends string> {
  readonly columns: readonly Column<Id>[];
  readonly shown: readonly Column<Id>[];
  /** Of the element around head and rows. */
  readonly frame: (element: HTMLDivElement | null) => void;
  readonly className: string;
  readonly style: CSSProperties;
  widthOf(id: Id): number;
  resize(id: Id, px: number): void;
  /** As wide as the widest content of the rows that exist. */
  fit(id: Id): void;
}

/** `listId`: names what is remembered. `columns` must be constant. */
export function useColumns<Id extends string>(
  listId: string,
  columns: readonly Column<Id>[],
): ColumnLayout<Id> {
  const storageKey = `mooring.columns.${listId}`;
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [roomPx, setRoomPx] = useState(Number.POSITIVE_INFINITY);
  const [widths, setWidths] = useState<ColumnWidths>(() => parseWidths(localStorage.getItem(storageKey)));
  useLayoutEffect(() => {
    const scroller = element?.querySelector('.scroller');
    if (element === null || !(scroller instanceof HTMLElement)) return;
    const measure = (): void => {
      // A list that is hidden has no width.
      setRoomPx(scroller.clientWidth || Number.POSITIVE_INFINITY);
      element.style.setProperty('--bar', `${scroller.offsetWidth - scroller.clientWidth}px`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const each of [scroller, ...scroller.children]) observer.observe(each);
    return () => observer.disconnect();
  }, [element]);
  const shown = useMemo(() => shownColumns(columns, widths, roomPx), [columns, widths, roomPx]);
  const resize = useCallback(
    (id: Id, px: number) => {
      setWidths((before) => {
        const column = shown.find((each) => each.id === id);
        if (column === undefined) return before;
        const maxPx = widestOf(column, shown, before, roomPx);
        const next = { ...before, [id]: Math.round(Math.min(maxPx, Math.max(columnMinPx, px))) };
        localStorage.setItem(storageKey, JSON.stringify(next));
        return next;
      });
    },
    [storageKey, shown, roomPx],
  );
  const hidden = columns.flatMap((each, index) => (shown.includes(each) ? [] : [`without-${index + 1}`]));
  return {
    columns,
    shown,
    frame: setElement,
    className: ['grid-frame', ...hidden].join(' '),
    style: { '--columns': templateOf(shown, widths) } as CSSProperties,
    widthOf: (id) => {
      const column = columns.find((each) => each.id === id);
      return column === undefined ? 0 : widthOf(column, widths);
    },
    resize,
    fit: (id) => {
      const position = columns.findIndex((each) => each.id === id) + 1;
      const cells = element?.querySelectorAll(`.grid-row > :nth-child(${position})`) ?? [];
      resize(id, Math.max(columnMinPx, ...[...cells].map(contentWidth)) + 2);
    },
  };
}

/** What is cut off counts, too. */
function contentWidth(cell: Element): number {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getBoundingClientRect().width;
}
