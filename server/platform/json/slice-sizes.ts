// What is parsed and written at once (parse-in-slices.ts, write-in-slices.ts), and which values need slices.
import { LongText } from '../../core/long-text.ts';

/** A longer string is decoded in pieces. */
export const longStringBytes = 256 * 1024;
/**
 * Bytes of a piece, and characters of a written one. V8 maps each larger object anew, and so does malloc from 64 KiB on, which takes longer than
 * to fill it.
 */
export const pieceSize = 45 * 1024;
/** Steps between two checks of the clock. */
export const stepsPerCheck = 1024;
const manyValues = 2_000;

/** true: large enough for time slices. Examines at most `manyValues` values. */
export function isLargeValue(value: unknown): boolean {
  return hasMoreValuesThan(manyValues, value, longStringBytes);
}

/** Counts objects, arrays, members and items, and stops at the limit. A longer string exceeds it as well. */
export function hasMoreValuesThan(
  valuesMax: number,
  value: unknown,
  stringCharactersMax = Number.POSITIVE_INFINITY,
): boolean {
  let left = valuesMax;
  const exceeds = (one: unknown): boolean => {
    left -= 1;
    if (left < 0) return true;
    if (typeof one === 'string' || one instanceof LongText) return one.length > stringCharactersMax;
    return typeof one === 'object' && one !== null && Object.values(one).some(exceeds);
  };
  return exceeds(value);
}
