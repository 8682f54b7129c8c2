// A callback with a constant identity, so that memoized rows do not render again. Call it in handlers, never while rendering.
import { useCallback, useLayoutEffect, useRef } from 'react';

export function useStable<Args extends readonly unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
