// Debounces a typed value, so that the agent is not asked for each key.
import { useEffect, useState } from 'react';

const debounceMs = 250;

/** The value after 250 ms without a change. `atOnce`: values without a delay. */
export function useDebounced<T>(
  value: T,
  atOnce: (value: T) => boolean = () => false,
  pauseMs: number = debounceMs,
): T {
  const [debounced, setSettled] = useState(value);
  const delayMs = atOnce(value) ? 0 : pauseMs;
  useEffect(() => {
    if (Object.is(value, debounced)) return;
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, debounced, delayMs]);
  return debounced;
}
