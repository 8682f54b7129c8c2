// Frame, rows and cells of virtual lists. Screens supply the content of rows; `useVirtualRows` decides which rows exist.
import type { VirtualItem } from '@tanstack/react-virtual';
import type { AriaAttributes, KeyboardEvent, MouseEvent, ReactElement, ReactNode, UIEvent } from 'react';
import type { ColumnLayout } from './use-columns.ts';
import { usePressedRow } from './use-pressed-row.ts';
import type { VirtualRows } from './use-virtual-rows.ts';

interface FrameProps<T> extends Pick<AriaAttributes, 'aria-label' | 'aria-rowcount' | 'aria-colcount'> {
  /** A table cannot omit the rows out of view. */
  readonly role: 'grid' | 'tree';
  readonly virtual: VirtualRows;
  /** The columns of a grid, and their heads (column-heads.tsx). */
  readonly layout?: ColumnLayout<string>;
  readonly heads?: ReactElement;
  readonly rows: readonly T[];
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onScroll?: (event: UIEvent<HTMLDivElement>) => void;
  readonly children: (row: T, item: VirtualItem) => ReactElement;
}

export function RowFrame<T>(props: FrameProps<T>): ReactElement {
  const { virtual, layout, heads, rows, onKeyDown, onScroll, children, ...spoken } = props;
  const onPress = usePressedRow();
  const shown = virtual.items.map((item) => {
    const row = rows[item.index];
    return row === undefined ? null : children(row, item);
  });
  if (layout !== undefined) {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the role is in `spoken`
      <div
        {...spoken}
        {...onPress}
        ref={layout.frame}
        className={layout.className}
        style={layout.style}
        onKeyDown={onKeyDown}
      >
        {heads}
        <div ref={virtual.scroller} className="scroller" onScroll={onScroll}>
          <div className="rail" style={{ height: virtual.totalPx }}>
            {shown}
          </div>
        </div>
      </div>
    );
  }
  return (
    <div ref={virtual.scroller} className="scroller" onScroll={onScroll}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the role is in `spoken` */}
      <div
        {...spoken}
        {...onPress}
        className="rail"
        style={{ height: virtual.totalPx }}
        onKeyDown={onKeyDown}
      >
        {shown}
      </div>
    </div>
  );
}

/** Position of a row, and whether it is the current one. */
export interface RowPosition {
  readonly index: number;
  readonly startPx: number;
  readonly selected: boolean;
  /** The only row in the tab order. */
  readonly tabStop: boolean;
}

export function rowPosition(item: VirtualItem, currentIndex: number): RowPosition {
  return {
    index: item.index,
    startPx: item.start,
    selected: item.index === currentIndex,
    tabStop: item.index === Math.max(0, currentIndex),
  };
}

export function GridRow({
  position: { index, startPx, selected, tabStop },
  className,
  heightPx,
  onClick,
  children,
}: {
  readonly position: RowPosition;
  readonly className: string;
  readonly heightPx?: number;
  readonly onClick: (event: MouseEvent) => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the frame handles keys
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned by the virtual list
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-selected={selected}
      tabIndex={tabStop ? 0 : -1}
      data-index={index}
      className={`grid-row ${className}`}
      style={{ transform: `translateY(${startPx}px)`, height: heightPx }}
      onClick={onClick}
    >
      {children}
    </div>
  );
}

/** The heading of a group of rows. It cannot be selected. */
export function HeadingRow({
  index,
  startPx,
  heightPx,
  children,
}: {
  readonly index: number;
  readonly startPx: number;
  readonly heightPx: number;
  readonly children: ReactNode;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned by the virtual list
    // biome-ignore lint/a11y/useFocusableInteractive: a heading is not selected
    <div
      role="row"
      aria-rowindex={index + 1}
      className="heading-row"
      style={{ transform: `translateY(${startPx}px)`, height: heightPx }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a cell of a virtual grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: a heading is not selected */}
      <span role="gridcell" className="row">
        {children}
      </span>
    </div>
  );
}

export function GridCell({
  className,
  title,
  children,
}: {
  readonly className?: string;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a cell of a virtual grid
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
    <span role="gridcell" className={className} title={title}>
      {children}
    </span>
  );
}
