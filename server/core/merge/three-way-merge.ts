// Three-way merge of texts by lines: what one side changed and the other did not is taken, what both changed alike is taken
// once, and where they differ nothing is guessed (sync-engine rule 14; strategy `three-way-lines-v1` of the contract). Pure.
import { type Hunk, type LineRange, lineHunks, linesOf } from './line-diff.ts';

export type { LineRange } from './line-diff.ts';

/** Of each text: beyond it a merge is left to people (contract 0.8). */
export const mergeBytesMax = 512 * 1024;
/** Lines that one side may have changed: beyond it the texts have too little in common to be sure. */
const editsMax = 1500;

/** The three texts cut at the same places. `same`: nobody changed it. `both`: both did, alike. */
export interface MergeHunk {
  readonly kind: 'same' | 'mine' | 'theirs' | 'both' | 'clash';
  readonly base: LineRange;
  readonly mine: LineRange;
  readonly theirs: LineRange;
}

export interface ConflictHunk {
  /** The lines of the base, or of what stands there now: `lines 3-5`. */
  readonly unit: string;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export type Merge =
  | { readonly kind: 'clean'; readonly text: string; readonly pieces: readonly MergeHunk[] }
  | {
      readonly kind: 'clashes';
      readonly clashes: readonly ConflictHunk[];
      readonly pieces: readonly MergeHunk[];
    }
  /** One side has next to nothing in common with the base. */
  | { readonly kind: 'too_different' };

/** Lines keep their ends, so that what was not changed comes out byte by byte. The work is bounded (core/line-diff). */
export function mergeLines(base: string, mine: string, theirs: string): Merge {
  const texts = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) };
  const mineHunks = changesOf(texts.base, texts.mine);
  const theirHunks = changesOf(texts.base, texts.theirs);
  if (mineHunks === null || theirHunks === null) return { kind: 'too_different' };
  const pieces = hunksOf(texts, mineHunks, theirHunks);
  const clashes = pieces.filter((piece) => piece.kind === 'clash');
  if (clashes.length > 0) {
    return { kind: 'clashes', pieces, clashes: clashes.map((piece) => conflictHunkOf(texts, piece)) };
  }
  return { kind: 'clean', pieces, text: pieces.map((piece) => chosen(texts, piece)).join('') };
}

/**
 * The merged text of a file, or null when people have to decide. A document that three times is JSON must stay JSON: lines
 * that do not overlap can still break it.
 */
export function mergeFile(path: string, base: string, mine: string, theirs: string): string | null {
  const merge = mergeLines(base, mine, theirs);
  if (merge.kind !== 'clean') return null;
  if (path.endsWith('.json') && [base, mine, theirs].every(isJson) && !isJson(merge.text)) return null;
  return merge.text;
}

interface Texts {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** null: more lines of the base were changed than a merge may assume, or the comparison is too much work. */
function changesOf(base: readonly string[], side: readonly string[]): readonly Hunk[] | null {
  const hunks = lineHunks(base, side);
  if (hunks === null) return null;
  const edits = hunks.reduce((sum, { before, after }) => sum + before.count + after.count, 0);
  return edits > editsMax ? null : hunks;
}

function hunksOf(texts: Texts, mine: readonly Hunk[], theirs: readonly Hunk[]): readonly MergeHunk[] {
  const pieces: MergeHunk[] = [];
  // How far each text has been cut, and what the changes so far have shifted the sides by.
  const at = { base: 0, mine: 0, theirs: 0 };
  const sameUpTo = (baseEnd: number) => {
    const count = baseEnd - at.base;
    if (count === 0) return;
    const cut = (start: number): LineRange => ({ start, count });
    pieces.push({ kind: 'same', base: cut(at.base), mine: cut(at.mine), theirs: cut(at.theirs) });
    at.base += count;
    at.mine += count;
    at.theirs += count;
  };
  let nextMine = 0;
  let nextTheirs = 0;
  for (;;) {
    const first = earliest(mine[nextMine], theirs[nextTheirs]);
    if (first === null) break;
    let end = endOf(first.before);
    const mineFrom = nextMine;
    const theirsFrom = nextTheirs;
    // What overlaps or touches belongs together: without an unchanged line between them nobody knows the order.
    for (let grew = true; grew; ) {
      grew = false;
      for (let hunk = mine[nextMine]; hunk !== undefined && hunk.before.start <= end; hunk = mine[nextMine]) {
        end = Math.max(end, endOf(hunk.before));
        nextMine += 1;
        grew = true;
      }
      for (
        let hunk = theirs[nextTheirs];
        hunk !== undefined && hunk.before.start <= end;
        hunk = theirs[nextTheirs]
      ) {
        end = Math.max(end, endOf(hunk.before));
        nextTheirs += 1;
        grew = true;
      }
    }
    sameUpTo(first.before.start);
    const base = range(at.base, end);
    const piece = {
      base,
      mine: { start: at.mine, count: base.count + growth(mine.slice(mineFrom, nextMine)) },
      theirs: { start: at.theirs, count: base.count + growth(theirs.slice(theirsFrom, nextTheirs)) },
    };
    pieces.push({ ...piece, kind: kindOf(texts, piece, nextMine > mineFrom, nextTheirs > theirsFrom) });
    at.base = end;
    at.mine += piece.mine.count;
    at.theirs += piece.theirs.count;
  }
  sameUpTo(texts.base.length);
  return pieces;
}

function kindOf(
  texts: Texts,
  piece: Omit<MergeHunk, 'kind'>,
  mineChanged: boolean,
  theirsChanged: boolean,
): MergeHunk['kind'] {
  if (!theirsChanged) return 'mine';
  if (!mineChanged) return 'theirs';
  return textAt(texts.mine, piece.mine) === textAt(texts.theirs, piece.theirs) ? 'both' : 'clash';
}

function earliest(mine: Hunk | undefined, theirs: Hunk | undefined): Hunk | null {
  if (mine === undefined || theirs === undefined) return mine ?? theirs ?? null;
  return mine.before.start <= theirs.before.start ? mine : theirs;
}

function growth(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, { before, after }) => sum + after.count - before.count, 0);
}

function chosen(texts: Texts, piece: MergeHunk): string {
  return piece.kind === 'theirs' ? textAt(texts.theirs, piece.theirs) : textAt(texts.mine, piece.mine);
}

function conflictHunkOf(texts: Texts, { base, mine, theirs }: MergeHunk): ConflictHunk {
  return {
    unit: base.count === 0 ? `after line ${base.start}` : `lines ${base.start + 1}-${endOf(base)}`,
    base: textAt(texts.base, base),
    mine: textAt(texts.mine, mine),
    theirs: textAt(texts.theirs, theirs),
  };
}

function textAt(lines: readonly string[], { start, count }: LineRange): string {
  return lines.slice(start, start + count).join('');
}

function range(start: number, end: number): LineRange {
  return { start, count: end - start };
}

function endOf({ start, count }: LineRange): number {
  return start + count;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A SyntaxError is how the parser says: no JSON.
    return false;
  }
}
