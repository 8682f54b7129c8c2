// Merges three versions of a text by lines: a change of one side is taken, an equal change of both is taken once, and different
// changes of the same lines are left to a decision (docs/sync-rules.md#14; strategy `three-way-lines-v1` of `fs/merge`). Pure: the
// agent and the UI import it, so that both give the same result.
import { diffLines, endOf, type Hunk, type LineRange, linesOf } from './line-diff.ts';

export type { LineRange } from './line-diff.ts';

/** Bytes per text; a larger text is not merged. */
export const mergeBytesMax = 512 * 1024;
/** Changed lines per side; above it the versions have too little in common for a reliable merge. */
const editsMax = 1500;

export type VersionName = 'base' | 'mine' | 'theirs';
/** The lines of the three versions, with their line ends. */
export type VersionLines = Readonly<Record<VersionName, readonly string[]>>;

/** A range of each version; the hunks of a merge cover all three versions in order. `both`: both sides made the same change. */
export interface MergeHunk extends Readonly<Record<VersionName, LineRange>> {
  readonly kind: 'same' | 'mine' | 'theirs' | 'both' | 'clash';
}

/** The texts of a hunk that both sides changed differently. */
export interface ConflictHunk extends Readonly<Record<VersionName, string>> {
  /** Its lines in the base: `lines 3-5`, or `after line 2` for an insertion. */
  readonly unit: string;
}

export type Merge =
  | { readonly kind: 'clean'; readonly text: string; readonly hunks: readonly MergeHunk[] }
  | {
      readonly kind: 'conflicts';
      readonly conflicts: readonly ConflictHunk[];
      readonly hunks: readonly MergeHunk[];
    }
  /** One side has too little in common with the base. */
  | { readonly kind: 'too_different' };

/** How a conflicting hunk is resolved: the lines of one version, or another text. */
export type HunkDecision = { readonly version: VersionName } | { readonly text: string };

export interface ChosenText {
  /** null: at least one conflicting hunk has no decision. */
  readonly text: string | null;
  readonly undecided: number;
}

/** Lines keep their ends, so unchanged text is preserved byte for byte. The work is bounded (core/merge/line-diff.ts). */
export function mergeLines(base: string, mine: string, theirs: string): Merge {
  const versions = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) };
  const mineEdits = editsOf(versions.base, versions.mine);
  const theirEdits = editsOf(versions.base, versions.theirs);
  if (mineEdits === null || theirEdits === null) return { kind: 'too_different' };
  const hunks = hunksOf(versions, mineEdits, theirEdits);
  const { text } = chosenText(versions, hunks, () => undefined);
  if (text !== null) return { kind: 'clean', hunks, text };
  const conflicts = hunks
    .filter(({ kind }) => kind === 'clash')
    .map((hunk) => conflictHunkOf(versions, hunk));
  return { kind: 'conflicts', hunks, conflicts };
}

/** The text that the hunks and the decisions make together. */
export function chosenText(
  versions: VersionLines,
  hunks: readonly MergeHunk[],
  decisionOf: (hunk: MergeHunk) => HunkDecision | undefined,
): ChosenText {
  let undecided = 0;
  const texts = hunks.map((hunk, index) => {
    if (hunk.kind !== 'clash') {
      const version = hunk.kind === 'theirs' ? 'theirs' : 'mine';
      return textAt(versions[version], hunk[version]);
    }
    const decision = decisionOf(hunk);
    if (decision === undefined) {
      undecided += 1;
      return '';
    }
    if ('version' in decision) return textAt(versions[decision.version], hunk[decision.version]);
    const isLast = index === hunks.length - 1;
    const { text } = decision;
    return isLast || text === '' || text.endsWith('\n') ? text : `${text}\n`;
  });
  return { text: undecided === 0 ? texts.join('') : null, undecided };
}

/**
 * The merged text of a file, or null if it needs a decision. If all three versions of a `.json` file are valid JSON, the result
 * must be valid JSON too: merged lines that do not overlap can still break a document.
 */
export function mergeFile(path: string, base: string, mine: string, theirs: string): string | null {
  const merge = mergeLines(base, mine, theirs);
  if (merge.kind !== 'clean') return null;
  if (path.endsWith('.json') && [base, mine, theirs].every(isJson) && !isJson(merge.text)) return null;
  return merge.text;
}

export function textAt(lines: readonly string[], { start, count }: LineRange): string {
  return lines.slice(start, start + count).join('');
}

/** null: more lines changed than a merge allows, or the comparison takes too much work. */
function editsOf(base: readonly string[], side: readonly string[]): readonly Hunk[] | null {
  const edits = diffLines(base, side);
  if (edits === null) return null;
  const changedLines = edits.reduce((sum, { before, after }) => sum + before.count + after.count, 0);
  return changedLines > editsMax ? null : edits;
}

function hunksOf(
  versions: VersionLines,
  mine: readonly Hunk[],
  theirs: readonly Hunk[],
): readonly MergeHunk[] {
  const hunks: MergeHunk[] = [];
  // The first line of each version that no hunk covers yet.
  const next = { base: 0, mine: 0, theirs: 0 };
  const take = (counts: Readonly<Record<VersionName, number>>): Omit<MergeHunk, 'kind'> => {
    const ranges = {
      base: { start: next.base, count: counts.base },
      mine: { start: next.mine, count: counts.mine },
      theirs: { start: next.theirs, count: counts.theirs },
    };
    next.base += counts.base;
    next.mine += counts.mine;
    next.theirs += counts.theirs;
    return ranges;
  };
  const takeUnchanged = (baseEnd: number) => {
    const count = baseEnd - next.base;
    if (count > 0) hunks.push({ kind: 'same', ...take({ base: count, mine: count, theirs: count }) });
  };
  for (const group of touchingEdits(mine, theirs)) {
    takeUnchanged(group.start);
    const base = group.end - group.start;
    const ranges = take({ base, mine: base + growthOf(group.mine), theirs: base + growthOf(group.theirs) });
    hunks.push({ kind: kindOf(versions, group, ranges), ...ranges });
  }
  takeUnchanged(versions.base.length);
  return hunks;
}

interface EditGroup {
  /** Lines of the base. */
  readonly start: number;
  end: number;
  readonly mine: Hunk[];
  readonly theirs: Hunk[];
}

/** Edits that overlap or touch in the base are one group: without an unchanged line between them their order is unknown. */
function touchingEdits(mine: readonly Hunk[], theirs: readonly Hunk[]): readonly EditGroup[] {
  const edits = [
    ...mine.map((hunk) => ({ side: 'mine', hunk }) as const),
    ...theirs.map((hunk) => ({ side: 'theirs', hunk }) as const),
  ].sort((left, right) => left.hunk.before.start - right.hunk.before.start);
  const groups: EditGroup[] = [];
  for (const { side, hunk } of edits) {
    const { start } = hunk.before;
    let group = groups.at(-1);
    if (group === undefined || start > group.end) {
      group = { start, end: start, mine: [], theirs: [] };
      groups.push(group);
    }
    group.end = Math.max(group.end, endOf(hunk.before));
    group[side].push(hunk);
  }
  return groups;
}

function kindOf(
  versions: VersionLines,
  { mine, theirs }: EditGroup,
  ranges: Omit<MergeHunk, 'kind'>,
): MergeHunk['kind'] {
  if (theirs.length === 0) return 'mine';
  if (mine.length === 0) return 'theirs';
  const isEqual = textAt(versions.mine, ranges.mine) === textAt(versions.theirs, ranges.theirs);
  return isEqual ? 'both' : 'clash';
}

function growthOf(edits: readonly Hunk[]): number {
  return edits.reduce((sum, { before, after }) => sum + after.count - before.count, 0);
}

function conflictHunkOf(versions: VersionLines, { base, mine, theirs }: MergeHunk): ConflictHunk {
  return {
    unit: base.count === 0 ? `after line ${base.start}` : `lines ${base.start + 1}-${endOf(base)}`,
    base: textAt(versions.base, base),
    mine: textAt(versions.mine, mine),
    theirs: textAt(versions.theirs, theirs),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A SyntaxError means that the text is not JSON.
    return false;
  }
}
