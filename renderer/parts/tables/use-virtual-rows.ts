// Rows of which only those in sight exist; the current one always does, so that it can hold the focus.
import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef } from 'react';

const overscanRows = 12;

export interface VirtualRows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly items: readonly VirtualItem[];
  readonly totalPx: number;
  /** The `ref` of rows whose height depends on their text. */
  readonly measure: (element: Element | null) => void;
  /** Brings a row into sight and gives it the focus. */
  focus(index: number): void;
  scrollTo(index: number): void;
}

export function useVirtualRows(options: {
  readonly count: number;
  readonly rowPx: number;
  /** -1: none. */
  readonly current: number;
}): VirtualRows {
  const { count, rowPx, current } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef(-1);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: overscanRows,
    rangeExtractor: useCallback(
      (range: Range) => {
        const inSight = defaultRangeExtractor(range);
        if (current < 0 || current >= range.count || inSight.includes(current)) return inSight;
        return [...inSight, current].sort((a, b) => a - b);
      },
      [current],
    ),
  });
  // The row may appear only with the next rendering.
  useEffect(() => {
    if (wanted.current < 0) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (row === null || row === undefined) return;
    wanted.current = -1;
    row.focus({ preventScroll: true });
  });
  return {
    scroller,
    items: virtualizer.getVirtualItems(),
    totalPx: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    focus: (index) => {
      wanted.current = index;
      virtualizer.scrollToIndex(index, { align: 'auto' });
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
    },
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}

/** What the arrow keys and their letters do in a list of `count` rows; null: not a key of lists. */
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
