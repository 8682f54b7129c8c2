// A virtual list beside a detail pane: one tab stop, moved with arrows or J and K. The screen supplies the content of rows; the
// address contains the open row. Rows can be of several heights, and headings between them.
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { type RowAction, RowContextMenu } from '../buttons/row-menu.tsx';
import { ColumnHeads } from './column-heads.tsx';
import { GridRow, HeadingRow, RowFrame, rowPosition } from './grid.tsx';
import type { Selection } from './selection.tsx';
import type { ColumnLayout } from './use-columns.ts';
import { useShownOnce } from './use-shown-once.ts';
import type { ColumnSorting } from './use-sort.ts';
import { movedIndex, useVirtualRows } from './use-virtual-rows.ts';

const pageRows = 12;
/** Distance from the end at which more rows are loaded. */
const readAheadRows = 40;

/** Focuses a list; `begin` also opens its first row if none is open. */
export type FocusHandle = RefObject<((begin: boolean) => void) | null>;

export interface WorkListProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  readonly openId: string | null;
  readonly rowPx: number | ((row: T) => number);
  /** The number of columns, or their layout, which has heads. */
  readonly columns: number | ColumnLayout<string>;
  readonly sorting?: ColumnSorting;
  /** false: more rows exist than were loaded. */
  readonly complete: boolean;
  readonly rowClass: string;
  /** Headings of groups are never selected; null: a row. */
  readonly headingOf?: (row: T) => ReactNode | null;
  /** Ctrl click selects a row, Shift a range. */
  readonly selection?: Pick<Selection<T>, 'toggle' | 'range'>;
  /** The menu of a row. */
  readonly actionsOf?: (row: T) => readonly RowAction[];
  readonly focusHandle: FocusHandle;
  readonly onOpen: (row: T) => void;
  readonly onEnter: (row: T) => void;
  readonly onNearEnd?: () => void;
  readonly children: (row: T) => ReactNode;
}

export function WorkList<T>(props: WorkListProps<T>): ReactElement {
  const { rows, idOf, openId, rowPx, columns, sorting, selection, focusHandle } = props;
  const { onOpen, onEnter, onNearEnd } = props;
  const [clicked, setClicked] = useState<number | null>(null);
  const currentIndex = openId === null ? -1 : rows.findIndex((row) => idOf(row) === openId);
  const pxOf = useCallback(
    (index: number) => {
      const row = rows[index];
      return typeof rowPx === 'number' ? rowPx : row === undefined ? 0 : rowPx(row);
    },
    [rows, rowPx],
  );
  const virtual = useVirtualRows({ count: rows.length, rowPx: pxOf, current: currentIndex });
  const headings = rows.map((row) => props.headingOf?.(row) ?? null);
  const markShown = useShownOnce(openId, currentIndex, virtual);
  const last = virtual.items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - readAheadRows) onNearEnd?.();
  }, [last, rows.length, onNearEnd]);

  const open = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    markShown(idOf(row));
    onOpen(row);
    virtual.focus(index);
  };
  useLayoutEffect(() => {
    focusHandle.current = (begin) => {
      if (currentIndex >= 0) virtual.focus(currentIndex);
      else if (begin) open(headings.indexOf(null));
      else if (rows.length > 0) virtual.focus(headings.indexOf(null));
    };
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = selectable(
      headings,
      currentIndex,
      movedIndex(event.key, currentIndex, rows.length, pageRows),
    );
    const row = rows[currentIndex];
    if (moved !== null) {
      const [from, to] = [rows[currentIndex], rows[moved]];
      if (event.shiftKey && from !== undefined && to !== undefined) selection?.range(idOf(from), idOf(to));
      open(moved);
    } else if (event.key === 'Enter' && row !== undefined) onEnter(row);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, index: number): void => {
    const row = rows[index];
    const current = rows[currentIndex];
    if (row === undefined) return;
    if (selection !== undefined && (event.ctrlKey || event.metaKey)) selection.toggle(idOf(row));
    else if (selection !== undefined && event.shiftKey && current !== undefined)
      selection.range(idOf(current), idOf(row));
    else open(index);
  };
  const frame = (
    <RowFrame
      role="grid"
      aria-label={props.label}
      aria-rowcount={props.complete ? rows.length : -1}
      aria-colcount={typeof columns === 'number' ? columns : columns.shown.length}
      {...(typeof columns === 'number'
        ? {}
        : { layout: columns, heads: <ColumnHeads layout={columns} {...sorting} /> })}
      virtual={virtual}
      rows={rows}
      onKeyDown={onKeyDown}
    >
      {(row, item) =>
        headings[item.index] == null ? (
          <GridRow
            key={idOf(row)}
            position={rowPosition(item, currentIndex)}
            className={props.rowClass}
            heightPx={pxOf(item.index)}
            onClick={(event) => onClick(event, item.index)}
          >
            {props.children(row)}
          </GridRow>
        ) : (
          <HeadingRow key={idOf(row)} index={item.index} startPx={item.start} heightPx={pxOf(item.index)}>
            {headings[item.index]}
          </HeadingRow>
        )
      }
    </RowFrame>
  );
  const { actionsOf } = props;
  const row = clicked === null ? undefined : rows[clicked];
  if (actionsOf === undefined) return frame;
  return (
    <RowContextMenu
      actions={row === undefined ? [] : actionsOf(row)}
      onOpen={(index) => {
        setClicked(index);
        if (index !== null) open(index);
      }}
    >
      {frame}
    </RowContextMenu>
  );
}

/** The next row in the direction of the move that is not a heading; null: none. */
function selectable(headings: readonly ReactNode[], from: number, to: number | null): number | null {
  if (to === null) return null;
  const step = to < from || to === headings.length - 1 ? -1 : 1;
  for (const direction of [step, -step])
    for (let index = to; index in headings; index += direction) if (headings[index] === null) return index;
  return null;
}

/** Placeholder rows of the same height. */
export function LoadingRows({ rowPx }: { readonly rowPx: 32 | 48 }): ReactElement {
  return (
    <div className={`skeleton-rows${rowPx === 48 ? ' tall' : ''}`} aria-busy="true">
      <span className="reader-only">Loading</span>
      {['w1', 'w2', 'w3', 'w4', 'w2 again', 'w1 again'].map((width) => (
        <div key={width}>
          <span className={`skeleton ${width.slice(0, 2)}`} />
          <span className="skeleton short" />
        </div>
      ))}
    </div>
  );
}
