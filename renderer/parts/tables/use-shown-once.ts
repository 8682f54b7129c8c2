// Scrolls the current row of a link into view once; later scrolling of the user is not reverted.
import { useEffect, useState } from 'react';
import type { VirtualRows } from './use-virtual-rows.ts';

/** `index` -1: not loaded yet. Returns a function that marks a row as already in view. */
export function useShownOnce(
  id: string | null,
  index: number,
  { scrollTo }: Pick<VirtualRows, 'scrollTo'>,
): (id: string) => void {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (id === null || index < 0 || shown === id) return;
    setShown(id);
    scrollTo(index);
  }, [id, index, shown, scrollTo]);
  return setShown;
}
