// Counts events per minute. Pure. Minutes before the first known one are unknown, never zero.

export interface RateMinute {
  /** Start of the minute. */
  readonly fromMs: number;
  /** null: unknown. */
  readonly events: number | null;
  /** How many of them are errors. Absent: not counted. */
  readonly errors?: number;
}

const minuteMs = 60_000;

/**
 * The last `minutes` minutes, oldest first, including the current one. `timesMs` has every event since `knownFromMs`.
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

/** The highest known count; 0 if none is known. */
export function peak(minutes: readonly RateMinute[]): number {
  return minutes.reduce((most, { events }) => Math.max(most, events ?? 0), 0);
}
