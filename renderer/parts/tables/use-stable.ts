// A function that stays the same while what it does changes: what is given to rows that are drawn again only when
// something of theirs changed. To be called from handlers, never while rendering.
import { useCallback, useLayoutEffect, useRef } from 'react';

export function useStable<Given extends readonly unknown[]>(
  act: (...given: Given) => void,
): (...given: Given) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
