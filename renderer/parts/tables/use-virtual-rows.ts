// Virtual rows: only rows in view exist, and the current one, so that it keeps the focus.
import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef } from 'react';

const overscanRows = 12;

export interface VirtualRows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly items: readonly VirtualItem[];
  readonly totalPx: number;
  /** The `ref` of rows whose height depends on their text. */
  readonly measure: (element: Element | null) => void;
  /** Scrolls a row into view and focuses it. */
  focus(index: number): void;
  scrollTo(index: number, align?: 'auto' | 'center'): void;
}

export function useVirtualRows(options: {
  readonly count: number;
  /** Of all rows, or of the row of that index. */
  readonly rowPx: number | ((index: number) => number);
  /** -1: none. */
  readonly current: number;
}): VirtualRows {
  const { count, rowPx, current } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const indexToFocus = useRef(-1);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (typeof rowPx === 'number' ? rowPx : rowPx(index)),
    overscan: overscanRows,
    rangeExtractor: useCallback(
      (range: Range) => {
        const inView = defaultRangeExtractor(range);
        if (current < 0 || current >= range.count || inView.includes(current)) return inView;
        return [...inView, current].sort((a, b) => a - b);
      },
      [current],
    ),
  });
  /** Once: a row that has had its focus does not take it back from what has it now. */
  const focusRow = (): void => {
    if (indexToFocus.current < 0) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${indexToFocus.current}"]`);
    if (row === null || row === undefined) return;
    indexToFocus.current = -1;
    row.focus({ preventScroll: true });
  };
  // The row may appear only with the next rendering.
  useEffect(focusRow);
  return {
    scroller,
    items: virtualizer.getVirtualItems(),
    totalPx: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    focus: (index) => {
      indexToFocus.current = index;
      virtualizer.scrollToIndex(index, { align: 'auto' });
      focusRow();
    },
    scrollTo: (index, align = 'auto') => virtualizer.scrollToIndex(index, { align }),
  };
}

/** The new index after an arrow key or its letter; null: not a key of lists. */
export function movedIndex(key: string, current: number, count: number, pageRows: number): number | null {
  if (count === 0) return null;
  const to = (index: number): number => Math.max(0, Math.min(count - 1, index));
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return to(current + 1);
    case 'ArrowUp':
    case 'k':
      return to(current - 1);
    case 'PageDown':
      return to(current + pageRows);
    case 'PageUp':
      return to(current - pageRows);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
