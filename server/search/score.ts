// The score of a text: from the text alone, never from other files. Pure.
import { scoredMatchesMax } from './limits.ts';
import type { Range } from './matcher.ts';

/** Of the ranges that were found; null: none. */
export function scoreOf(ranges: Iterable<Range>, characters: number): number | null {
  let count = 0;
  for (const _ of ranges) {
    count += 1;
    if (count === scoredMatchesMax) break;
  }
  return count === 0 ? null : rounded(density(count, characters));
}

/** Occurrences in relation to the length of the text, from 0 to 1 (https://en.wikipedia.org/wiki/Okapi_BM25, without the rareness of a
 * word in other files, which would show what the caller may not read). */
export function density(count: number, characters: number): number {
  const lengthShare = characters / typicalCharacters;
  return count / (count + 1.2 * (0.25 + 0.75 * Math.min(lengthShare, 10)));
}

const typicalCharacters = 8_000;

export function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
