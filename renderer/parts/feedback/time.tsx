// A time: an age that updates itself, or a clock time; the tooltip has date, milliseconds and zone.
import { type ReactElement, useSyncExternalStore } from 'react';
import { age, ago, clock, date, fullTime } from '../../model/format.ts';

const tickMs = 1_000;
let nowMs = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time, to the second; its users render each second, all at once. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** `clock` and `date` are constant; `age` and `ago` count up and render only when their text changes. */
export function Time({
  at,
  as,
}: {
  readonly at: string | number;
  readonly as: 'age' | 'ago' | 'clock' | 'date';
}): ReactElement {
  const atMs = typeof at === 'number' ? at : Date.parse(at);
  const text = useSyncExternalStore(as === 'clock' || as === 'date' ? never : subscribe, () => {
    if (as === 'clock') return clock(atMs);
    if (as === 'date') return date(atMs);
    const now = Math.max(nowMs, atMs);
    return as === 'age' ? age(atMs, now) : ago(atMs, now);
  });
  return (
    <time dateTime={new Date(atMs).toISOString()} title={fullTime(atMs)}>
      {text}
    </time>
  );
}

function never(): () => void {
  return () => undefined;
}
