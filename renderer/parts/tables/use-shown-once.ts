// The current row comes into sight once, when it is known: a link may lead far down a long list, and whoever scrolls on afterwards
// is not pulled back.
import { useEffect, useState } from 'react';
import type { VirtualRows } from './use-virtual-rows.ts';

/** `id` of the current row, null: none; `index` -1: it is not known yet. Returns what says that a row was brought there by hand. */
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
