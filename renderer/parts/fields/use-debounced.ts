// A value while it is typed: what asks the agent follows a moment later.
import { useEffect, useState } from 'react';

const settleMs = 250;

/** The value when it has not changed for a moment. `atOnce`: values that need not wait. */
export function useSettled<T>(value: T, atOnce: (value: T) => boolean = () => false): T {
  const [settled, setSettled] = useState(value);
  const delayMs = atOnce(value) ? 0 : settleMs;
  useEffect(() => {
    if (Object.is(value, settled)) return;
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, settled, delayMs]);
  return settled;
}
