// A virtual list beside a detail pane: one tab stop, moved with arrows or J and K. The screen supplies the content of rows; the
// address contains the open row.
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
} from 'react';
import { GridRow, RowFrame, rowPosition } from './grid.tsx';
import { useShownOnce } from './use-shown-once.ts';
import { movedIndex, useVirtualRows } from './use-virtual-rows.ts';

const pageRows = 12;
/** Distance from the end at which more rows are loaded. */
const readAheadRows = 40;

export interface WorkListProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  readonly openId: string | null;
  readonly rowPx: 32 | 48;
  readonly columns: number;
  /** false: more rows exist than were loaded. */
  readonly complete: boolean;
  readonly rowClass: string;
  /** Focuses the list; `begin` also opens the first row if none is open. */
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onOpen: (row: T) => void;
  readonly onEnter: (row: T) => void;
  readonly onNearEnd?: () => void;
  readonly children: (row: T) => ReactNode;
}

export function WorkList<T>(props: WorkListProps<T>): ReactElement {
  const { rows, idOf, openId, rowPx, focusHandle, onOpen, onEnter, onNearEnd } = props;
  const currentIndex = openId === null ? -1 : rows.findIndex((row) => idOf(row) === openId);
  const virtual = useVirtualRows({ count: rows.length, rowPx, current: currentIndex });
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
      else if (begin) open(0);
      else if (rows.length > 0) virtual.focus(0);
    };
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = movedIndex(event.key, currentIndex, rows.length, pageRows);
    const row = rows[currentIndex];
    if (moved !== null) open(moved);
    else if (event.key === 'Enter' && row !== undefined) onEnter(row);
    else return;
    event.preventDefault();
  };
  return (
    <RowFrame
      role="grid"
      aria-label={props.label}
      aria-rowcount={props.complete ? rows.length : -1}
      aria-colcount={props.columns}
      virtual={virtual}
      rows={rows}
      onKeyDown={onKeyDown}
    >
      {(row, item) => (
        <GridRow
          key={idOf(row)}
          position={rowPosition(item, currentIndex)}
          className={props.rowClass}
          heightPx={rowPx}
          onClick={() => open(item.index)}
        >
          {props.children(row)}
        </GridRow>
      )}
    </RowFrame>
  );
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
