// Selects the first row of a list when it arrives without a selection, so that no list opens beside an empty pane.
import { useEffect, useRef } from 'react';

/** Below it the detail covers the list, which then must be seen first. */
const twoPanes = '(min-width: 900px)';

/** `firstId` null: no rows yet. A person who closes the detail is not given it back before the list changes. */
export function useFirstSelected(
  firstId: string | null,
  selected: string | null,
  select: (id: string) => void,
): void {
  const latest = useRef({ selected, select });
  latest.current = { selected, select };
  useEffect(() => {
    if (firstId === null || latest.current.selected !== null) return;
    if (matchMedia(twoPanes).matches) latest.current.select(firstId);
  }, [firstId]);
}
