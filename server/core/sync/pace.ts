// How fast a long work goes and how long it will still take, from readings of what is done. Pure: whoever measures keeps the
// readings and hands in the time. It promises nothing that it does not know: no rate from a moment, no end from a standstill.

/** What was done by a moment of a clock that never goes backwards. */
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

/** A rate is what the last seconds were like: long enough to be calm, short enough to follow. */
const windowMs = 10_000;
/** Readings closer than this to the one before replace it. */
const apartMs = 250;
/** Of less than this nothing is said. */
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

/** Milliseconds that the rest takes at this pace: the longer of what its files and its bytes take. null: nobody knows. */
export function timeLeftMs(pace: Pace | null, left: Amount): number | null {
  if (pace === null) return null;
  const byFiles = left.files === 0 ? 0 : left.files / pace.filesPerSecond;
  const byBytes = left.bytes === 0 ? 0 : left.bytes / pace.bytesPerSecond;
  const leftMs = Math.max(byFiles, byBytes) * 1000;
  return Number.isFinite(leftMs) ? Math.round(leftMs) : null;
}
