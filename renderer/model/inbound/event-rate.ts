// Events per minute, from times that are known. Pure. Minutes before the first known one are unknown, never zero.

export interface RateMinute {
  /** When the minute began. */
  readonly fromMs: number;
  /** null: not known. */
  readonly events: number | null;
}

const minuteMs = 60_000;

/**
 * The last `minutes` minutes, oldest first, the running one last. `knownFromMs`: every event since then is among `timesMs`.
 */
export function eventsPerMinute(
  timesMs: readonly number[],
  knownFromMs: number,
  nowMs: number,
  minutes: number,
): readonly RateMinute[] {
  const last = Math.floor(nowMs / minuteMs);
  const counts = new Map<number, number>();
  for (const timeMs of timesMs) {
    const minute = Math.floor(timeMs / minuteMs);
    if (minute > last - minutes && minute <= last) counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return Array.from({ length: minutes }, (_, index) => {
    const minute = last - minutes + 1 + index;
    const known = minute * minuteMs >= knownFromMs;
    return { fromMs: minute * minuteMs, events: known ? (counts.get(minute) ?? 0) : null };
  });
}

/** The highest known minute; 0 when none is known. */
export function peak(minutes: readonly RateMinute[]): number {
  return minutes.reduce((most, { events }) => Math.max(most, events ?? 0), 0);
}
