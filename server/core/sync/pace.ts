// Computes the rate of a long task and its remaining time from readings of its progress. Pure: the caller stores the readings and
// passes the time. It reports nothing uncertain: no rate from one reading, no end while nothing moves.

/** Progress at a time of a monotonic clock. */
export interface Reading {
  readonly atMs: number;
  readonly files: number;
  readonly bytes: number;
}

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export interface Pace {
  readonly filesPerSecond: number;
  readonly bytesPerSecond: number;
}

/** The window of a rate: long enough to be stable, short enough to follow changes. */
const windowMs = 10_000;
/** Readings closer than this to the previous one replace it. */
const apartMs = 250;
/** Below this nothing is reported. */
const measuredMsMin = 1000;

/** Takes a reading in. At most `windowMs / apartMs` and a few stay. */
export function withReading(readings: readonly Reading[], next: Reading): readonly Reading[] {
  const last = readings.at(-1);
  const before = readings.at(-2);
  const kept =
    last !== undefined && before !== undefined && last.atMs - before.atMs < apartMs
      ? readings.slice(0, -1)
      : readings;
  // The last one that is too old stays: the window has to begin somewhere.
  const begin = kept.findLastIndex((reading) => next.atMs - reading.atMs >= windowMs);
  return [...kept.slice(Math.max(0, begin)), next];
}

/** The rate up to `now`, which is a reading itself. null: not measured long enough. */
export function paceOf(readings: readonly Reading[], now: Reading): Pace | null {
  const begin = readings.findLast((reading) => now.atMs - reading.atMs >= windowMs) ?? readings[0];
  if (begin === undefined) return null;
  const seconds = (now.atMs - begin.atMs) / 1000;
  if (seconds * 1000 < measuredMsMin) return null;
  return {
    filesPerSecond: (now.files - begin.files) / seconds,
    bytesPerSecond: (now.bytes - begin.bytes) / seconds,
  };
}

/** Milliseconds that the rest takes at this rate: the longer one of files and bytes. null: unknown. */
export function timeLeftMs(pace: Pace | null, left: Amount): number | null {
  if (pace === null) return null;
  const byFiles = left.files === 0 ? 0 : left.files / pace.filesPerSecond;
  const byBytes = left.bytes === 0 ? 0 : left.bytes / pace.bytesPerSecond;
  const leftMs = Math.max(byFiles, byBytes) * 1000;
  return Number.isFinite(leftMs) ? Math.round(leftMs) : null;
}
