// Compares two or three versions of a text and aligns their lines in rows of a grid. Pure. Merging is server/core/merge, so the UI
// and the agent give the same result.
import { diffLines, type Hunk, type LineRange, linesOf } from '../../../server/core/merge/line-diff.ts';
import {
  type ChosenText,
  chosenText,
  type HunkDecision,
  type MergeHunk,
  mergeLines,
  textAt,
  type VersionLines,
  type VersionName,
} from '../../../server/core/merge/three-way-merge.ts';

export interface Comparison {
  readonly versions: VersionLines;
  /** Without a merge the base has no lines in them. */
  readonly hunks: readonly MergeHunk[];
  /** null: the versions can be merged. */
  readonly notMergeable: 'no_base' | 'too_different' | null;
}

/** By `hunkKey`. */
export type Decisions = ReadonlyMap<string, HunkDecision>;

export interface Cell {
  /** From 1. */
  readonly number: number;
  /** Without its line end. */
  readonly text: string;
}

export type GridRow =
  | {
      readonly kind: MergeHunk['kind'];
      readonly cells: Readonly<Record<VersionName, Cell | null>>;
    }
  /** Unchanged lines far from any change. */
  | { readonly kind: 'fold'; readonly hunk: number; readonly count: number };

/** Unchanged lines shown before and after a change. */
const contextLines = 3;

export function threeWayComparison(base: string, mine: string, theirs: string): Comparison {
  const versions = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) };
  const merge = mergeLines(base, mine, theirs);
  return merge.kind === 'too_different'
    ? { versions, hunks: twoWayHunks(versions.mine, versions.theirs), notMergeable: 'too_different' }
    : { versions, hunks: merge.hunks, notMergeable: null };
}

/** A change of one text: the base is the version before, `mine` the version after. */
export function changeComparison(before: string, after: string): Comparison {
  const versions = { base: linesOf(before), mine: linesOf(after), theirs: [] };
  const hunks: MergeHunk[] = [];
  let baseLine = 0;
  let mineLine = 0;
  const add = (kind: 'same' | 'mine', base: number, mine: number): void => {
    if (base === 0 && mine === 0) return;
    hunks.push({
      kind,
      base: { start: baseLine, count: base },
      mine: { start: mineLine, count: mine },
      theirs: { start: 0, count: 0 },
    });
    baseLine += base;
    mineLine += mine;
  };
  const changed = diffLines(versions.base, versions.mine) ?? [changedMiddle(versions.base, versions.mine)];
  for (const hunk of changed) {
    add('same', hunk.before.start - baseLine, hunk.after.start - mineLine);
    add('mine', hunk.before.count, hunk.after.count);
  }
  add('same', versions.base.length - baseLine, versions.mine.length - mineLine);
  return { versions, hunks, notMergeable: null };
}

/** Hunks of two texts without a base: `same` or `clash`. */
export function twoWayHunks(mine: readonly string[], theirs: readonly string[]): readonly MergeHunk[] {
  const hunks: MergeHunk[] = [];
  let mineLine = 0;
  let theirsLine = 0;
  const add = (kind: 'same' | 'clash', mineCount: number, theirsCount: number): void => {
    if (mineCount === 0 && theirsCount === 0) return;
    hunks.push({
      kind,
      base: { start: 0, count: 0 },
      mine: { start: mineLine, count: mineCount },
      theirs: { start: theirsLine, count: theirsCount },
    });
    mineLine += mineCount;
    theirsLine += theirsCount;
  };
  for (const { before, after } of diffLines(mine, theirs) ?? [changedMiddle(mine, theirs)]) {
    add('same', before.start - mineLine, after.start - theirsLine);
    add('clash', before.count, after.count);
  }
  add('same', mine.length - mineLine, theirs.length - theirsLine);
  return hunks;
}

/** One hunk between the common first and the common last lines, for texts whose comparison exceeds the work limit. */
function changedMiddle(before: readonly string[], after: readonly string[]): Hunk {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return {
    before: { start: head, count: before.length - head - tail },
    after: { start: head, count: after.length - head - tail },
  };
}

/** Rows of one grid, aligned over all versions. `unfolded`: indices of hunks whose lines are all shown. */
export function gridRows(
  { hunks, versions }: Pick<Comparison, 'hunks' | 'versions'>,
  unfolded: ReadonlySet<number>,
): readonly GridRow[] {
  return hunks.flatMap((hunk, index): readonly GridRow[] => {
    const height = Math.max(hunk.base.count, hunk.mine.count, hunk.theirs.count);
    const rows = Array.from(
      { length: height },
      (_, line): GridRow => ({
        kind: hunk.kind,
        cells: {
          mine: cellOf(versions.mine, hunk.mine, line),
          base: cellOf(versions.base, hunk.base, line),
          theirs: cellOf(versions.theirs, hunk.theirs, line),
        },
      }),
    );
    const fold = hunk.kind !== 'same' || unfolded.has(index) ? null : foldedLines(hunks, index);
    if (fold === null) return rows;
    const { start, count } = fold;
    return [...rows.slice(0, start), { kind: 'fold', hunk: index, count }, ...rows.slice(start + count)];
  });
}

/** The lines of an unchanged hunk that are folded; null: it is short. */
export function foldedLines(hunks: readonly MergeHunk[], index: number): LineRange | null {
  const start = index === 0 ? 0 : contextLines;
  const after = index === hunks.length - 1 ? 0 : contextLines;
  const count = (hunks[index]?.mine.count ?? 0) - start - after;
  return count <= 1 ? null : { start, count };
}

function cellOf(lines: readonly string[], range: LineRange, line: number): Cell | null {
  const text = line < range.count ? lines[range.start + line] : undefined;
  return text === undefined ? null : { number: range.start + line + 1, text: text.replace(/\r?\n$/, '') };
}

/** Identifies a hunk by its texts, so that a decision survives a reload. */
export function hunkKey({ versions }: Pick<Comparison, 'versions'>, hunk: MergeHunk): string {
  return JSON.stringify([
    textAt(versions.mine, hunk.mine),
    textAt(versions.base, hunk.base),
    textAt(versions.theirs, hunk.theirs),
  ]);
}

/** null: the versions cannot be merged. */
export function mergedText(comparison: Comparison, decisions: Decisions): ChosenText | null {
  if (comparison.notMergeable !== null) return null;
  return chosenText(comparison.versions, comparison.hunks, (hunk) =>
    decisions.get(hunkKey(comparison, hunk)),
  );
}
