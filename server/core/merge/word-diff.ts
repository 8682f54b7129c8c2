// Finds the words that differ between two lines, with bounded work. Pure: the bounds are counts, not times.
import { diffWordsWithSpace } from 'diff';

/** From (included) to (excluded), in UTF-16 units of a line. */
export interface WordRange {
  readonly start: number;
  readonly end: number;
}

export interface ChangedWords {
  readonly before: readonly WordRange[];
  readonly after: readonly WordRange[];
}

/** Longer lines are compared as a whole. */
const lineCharactersMax = 2_000;
const changedWordsMax = 200;
/** With less in common, two lines are different lines, and marked words would only distract. */
const commonShareMin = 0.4;

/** null: the lines are equal, have too little in common, or are too long. */
export function changedWords(before: string, after: string): ChangedWords | null {
  const longer = Math.max(before.length, after.length);
  if (before === after || longer > lineCharactersMax) return null;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: changedWordsMax });
  if (parts === undefined) return null;
  const ranges = { before: [] as WordRange[], after: [] as WordRange[] };
  let beforeAt = 0;
  let afterAt = 0;
  let common = 0;
  for (const { value, added, removed } of parts) {
    if (removed) ranges.before.push({ start: beforeAt, end: beforeAt + value.length });
    else if (added) ranges.after.push({ start: afterAt, end: afterAt + value.length });
    else common += value.trim().length;
    if (!added) beforeAt += value.length;
    if (!removed) afterAt += value.length;
  }
  if (common < commonShareMin * Math.max(before.trim().length, after.trim().length)) return null;
  return { before: joined(ranges.before, before), after: joined(ranges.after, after) };
}

/** Ranges with only spaces between them are one: two changed words in a row. */
function joined(ranges: readonly WordRange[], line: string): readonly WordRange[] {
  const result: WordRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last === undefined || line.slice(last.end, range.start).trim() !== '') result.push(range);
    else result[result.length - 1] = { start: last.start, end: range.end };
  }
  return result;
}
