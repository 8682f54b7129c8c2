// A value while it is typed: what asks the agent follows a moment later.
import { useEffect, useState } from 'react';

const debounceMs = 250;

/** The value when it has not changed for a moment. `atOnce`: values that need not wait. */
export function useDebounced<T>(value: T, atOnce: (value: T) => boolean = () => false): T {
  const [debounced, setSettled] = useState(value);
  const delayMs = atOnce(value) ? 0 : debounceMs;
  useEffect(() => {
    if (Object.is(value, debounced)) return;
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, debounced, delayMs]);
  return debounced;
}
