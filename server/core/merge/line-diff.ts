// Finds the lines that two texts have in common, with bounded work. Pure: the bounds are counts, not times, so the same texts always
// give the same result.
import { diffArrays } from 'diff';

/** `count` lines, from line number `start` (0-based). */
export interface LineRange {
  readonly start: number;
  readonly count: number;
}

/** Lines `before` of one text were replaced by lines `after` of the other. */
export interface Hunk {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** Edits among lines that occur in both texts. The search takes up to half their square in steps: two million for 2,000. */
const searchedEditsMax = 2_000;
/** Comparisons of two lines; texts with many equal lines need the most. */
const comparisonsMax = 20_000_000;

/** Lines with their line ends; the last one may have none. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const whole = lines.map((line) => `${line}\n`);
  return last === '' ? whole : [...whole, last];
}

/** The changed lines, in order, with at least one common line between two hunks. null: the comparison exceeds the work limit. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly Hunk[] | null {
  const numbers = new Map<string, number>();
  const numbersOf = (lines: readonly string[]) =>
    lines.map((line) => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    });
  const old = numbersOf(before);
  const oldNumbers = numbers.size;
  const fresh = numbersOf(after);
  // A line that occurs in one text only is never common: without it the search is shorter and its result the same.
  const inFresh = new Set(fresh);
  const sharedOld = old.flatMap((number, index) => (inFresh.has(number) ? [index] : []));
  const sharedFresh = fresh.flatMap((number, index) => (number < oldNumbers ? [index] : []));
  const runs = commonRuns(
    sharedOld.map((index) => old[index] ?? 0),
    sharedFresh.map((index) => fresh[index] ?? 0),
  );
  if (runs === null) return null;
  const hunks = new HunkList();
  for (const { oldStart, freshStart, count } of runs) {
    for (let line = 0; line < count; line += 1)
      hunks.addCommon(sharedOld[oldStart + line] ?? 0, sharedFresh[freshStart + line] ?? 0);
  }
  return hunks.finish(before.length, after.length);
}

interface CommonRun {
  readonly oldStart: number;
  readonly freshStart: number;
  readonly count: number;
}

class WorkLimitReached extends Error {
  override readonly name = 'WorkLimitReached';
}

/** null: the comparison exceeds the work limit. */
function commonRuns(old: readonly number[], fresh: readonly number[]): readonly CommonRun[] | null {
  let comparisons = 0;
  const comparator = (left: number, right: number) => {
    comparisons += 1;
    if (comparisons > comparisonsMax) throw new WorkLimitReached();
    return left === right;
  };
  let changes: ReturnType<typeof diffArrays<number>> | undefined;
  try {
    changes = diffArrays([...old], [...fresh], { maxEditLength: searchedEditsMax, comparator });
  } catch (error) {
    if (error instanceof WorkLimitReached) return null;
    throw error;
  }
  if (changes === undefined) return null;
  const runs: CommonRun[] = [];
  let oldStart = 0;
  let freshStart = 0;
  for (const { added, removed, count } of changes) {
    if (!added && !removed) runs.push({ oldStart, freshStart, count });
    if (!added) oldStart += count;
    if (!removed) freshStart += count;
  }
  return runs;
}

/** Collects the lines between common lines as hunks. */
class HunkList {
  readonly #hunks: Hunk[] = [];
  #before = 0;
  #after = 0;

  addCommon(before: number, after: number): void {
    this.#close(before, after);
    this.#before = before + 1;
    this.#after = after + 1;
  }

  finish(before: number, after: number): readonly Hunk[] {
    this.#close(before, after);
    return this.#hunks;
  }

  #close(before: number, after: number): void {
    if (before === this.#before && after === this.#after) return;
    this.#hunks.push({
      before: { start: this.#before, count: before - this.#before },
      after: { start: this.#after, count: after - this.#after },
    });
  }
}

/** The number of the line after the range. */
export function endOf({ start, count }: LineRange): number {
  return start + count;
}
