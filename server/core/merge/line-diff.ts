// Which lines two texts have in common, with bounded work. Pure: the bounds are counts, not times, so that the same texts always
// have the same result.
import { diffArrays } from 'diff';

/** A run of lines: the number of its first, from 0, and how many. */
export interface LineRange {
  readonly start: number;
  readonly count: number;
}

/** These lines of the one text became those of the other. */
export interface Hunk {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** Edits among the lines that both texts have; the steps of the search grow with their square: two million for 2,000. */
const searchedEditsMax = 2_000;
/** Comparisons of two lines; texts of many equal lines need the most. */
const comparisonsMax = 20_000_000;

/** With their line ends; the last one may have none. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const whole = lines.map((line) => `${line}\n`);
  return last === '' ? whole : [...whole, last];
}

/** In order, at least one common line between two. null: the search would take more work than it may. */
export function lineHunks(before: readonly string[], after: readonly string[]): readonly Hunk[] | null {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    lines.map((line) => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    });
  const old = numbered(before);
  const oldNumbers = numbers.size;
  const fresh = numbered(after);
  // A line that only one text has is never common: without it the search is shorter, and its result the same.
  const inOld = shared(old, new Set(fresh));
  const inFresh = fresh.flatMap((number, at) => (number < oldNumbers ? [at] : []));
  const runs = commonRuns(
    inOld.map((at) => old[at] ?? 0),
    inFresh.map((at) => fresh[at] ?? 0),
  );
  if (runs === null) return null;
  const hunks = new HunkList();
  for (const { oldStart, freshStart, count } of runs) {
    for (let line = 0; line < count; line += 1)
      hunks.common(inOld[oldStart + line] ?? 0, inFresh[freshStart + line] ?? 0);
  }
  return hunks.end(before.length, after.length);
}

function shared(numbers: readonly number[], others: ReadonlySet<number>): readonly number[] {
  return numbers.flatMap((number, at) => (others.has(number) ? [at] : []));
}

interface CommonRun {
  readonly oldStart: number;
  readonly freshStart: number;
  readonly count: number;
}

class WorkLimitReached extends Error {
  override readonly name = 'WorkLimitReached';
}

/** null: too much work. */
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

/** What is between the common lines. */
class HunkList {
  readonly #hunks: Hunk[] = [];
  #before = 0;
  #after = 0;

  common(before: number, after: number): void {
    this.#close(before, after);
    this.#before = before + 1;
    this.#after = after + 1;
  }

  end(before: number, after: number): readonly Hunk[] {
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
