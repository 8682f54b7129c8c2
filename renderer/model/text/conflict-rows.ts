// The versions of a conflict, line beside line, and the text that a person makes of them. Pure. Lines keep their ends, as the
// agent cuts them, so that what nobody changed comes out byte by byte.
import type { ConflictMerge } from '../../../server/contract/conflicts.ts';

export type Side = 'folder' | 'base' | 'workspace';
export type Piece = ConflictMerge['pieces'][number];
export type Texts = Readonly<Record<Side, readonly string[]>>;

export interface Comparison {
  readonly texts: Texts;
  readonly pieces: readonly Piece[];
  /** All three texts could be cut alike, so that they can be merged. */
  readonly mergeable: boolean;
}

/** What becomes of a clash: one side's lines, or what was typed. */
export type Decision = { readonly side: Side } | { readonly text: string };
export type Decisions = ReadonlyMap<string, Decision>;

export interface Cell {
  /** From 1. */
  readonly number: number;
  /** Without its end. */
  readonly text: string;
}

export type GridRow =
  | {
      readonly kind: Piece['kind'];
      readonly piece: number;
      readonly cells: Readonly<Record<Side, Cell | null>>;
    }
  /** Lines that are alike on all sides and far from any change. */
  | { readonly kind: 'fold'; readonly piece: number; readonly count: number };

/** Alike lines shown before and after a change. */
const contextLines = 3;
/** Cells of the table of the longest common subsequence; beyond it the middle counts as changed. */
const cellsMax = 4_000_000;

export function linesOf(text: string | null | undefined): readonly string[] {
  if (text == null) return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const whole = lines.map((line) => `${line}\n`);
  return last === '' ? whole : [...whole, last];
}

/** Pieces of two texts that have no base: alike, or a clash. */
export function twoWayPieces(folder: readonly string[], workspace: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = { folder: 0, workspace: 0 };
  for (const run of alikeIn(folder, workspace)) {
    addPiece(pieces, 'clash', at, {
      folder: run.folder - at.folder,
      workspace: run.workspace - at.workspace,
    });
    addPiece(pieces, 'same', run, { folder: run.count, workspace: run.count });
    at = { folder: run.folder + run.count, workspace: run.workspace + run.count };
  }
  return pieces;
}

/** Runs of lines that both texts hold, in order; the last one ends both, and may be empty. */
export function alikeIn(folder: readonly string[], workspace: readonly string[]): readonly Run[] {
  let head = 0;
  while (head < folder.length && head < workspace.length && folder[head] === workspace[head]) head += 1;
  let tail = 0;
  const most = Math.min(folder.length, workspace.length) - head;
  while (tail < most && folder.at(-1 - tail) === workspace.at(-1 - tail)) tail += 1;
  const middle = alikeRuns(
    folder.slice(head, folder.length - tail),
    workspace.slice(head, workspace.length - tail),
  ).map((run) => ({ folder: run.folder + head, workspace: run.workspace + head, count: run.count }));
  return [
    { folder: 0, workspace: 0, count: head },
    ...middle,
    { folder: folder.length - tail, workspace: workspace.length - tail, count: tail },
  ];
}

function addPiece(
  pieces: Piece[],
  kind: Piece['kind'],
  start: { readonly folder: number; readonly workspace: number },
  count: { readonly folder: number; readonly workspace: number },
): void {
  if (count.folder === 0 && count.workspace === 0) return;
  pieces.push({
    kind,
    base: { start: 0, count: 0 },
    folder: { start: start.folder, count: count.folder },
    workspace: { start: start.workspace, count: count.workspace },
  });
}

export interface Run {
  readonly folder: number;
  readonly workspace: number;
  readonly count: number;
}

/** The longest common subsequence, as runs in order. */
function alikeRuns(a: readonly string[], b: readonly string[]): readonly Run[] {
  if (a.length * b.length > cellsMax) return [];
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const skip = Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
      longest[i * width + j] = a[i] === b[j] ? (longest[(i + 1) * width + j + 1] ?? 0) + 1 : skip;
    }
  }
  const runs: Run[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      const last = runs.at(-1);
      if (last !== undefined && last.folder + last.count === i && last.workspace + last.count === j) {
        runs[runs.length - 1] = { ...last, count: last.count + 1 };
      } else runs.push({ folder: i, workspace: j, count: 1 });
      i += 1;
      j += 1;
    } else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return runs;
}

/** Rows of one grid: lines of all sides stay level. `unfolded`: pieces of which every line is shown. */
export function gridRows(
  pieces: readonly Piece[],
  texts: Texts,
  unfolded: ReadonlySet<number>,
): readonly GridRow[] {
  return pieces.flatMap((piece, index): readonly GridRow[] => {
    const height = Math.max(piece.base.count, piece.folder.count, piece.workspace.count);
    const rows = Array.from(
      { length: height },
      (_, line): GridRow => ({
        kind: piece.kind,
        piece: index,
        cells: {
          folder: cellOf(texts.folder, piece.folder, line),
          base: cellOf(texts.base, piece.base, line),
          workspace: cellOf(texts.workspace, piece.workspace, line),
        },
      }),
    );
    if (piece.kind !== 'same' || unfolded.has(index)) return rows;
    const before = index === 0 ? 0 : contextLines;
    const after = index === pieces.length - 1 ? 0 : contextLines;
    const count = height - before - after;
    if (count <= 1) return rows;
    return [...rows.slice(0, before), { kind: 'fold', piece: index, count }, ...rows.slice(height - after)];
  });
}

function cellOf(lines: readonly string[], range: Piece['base'], line: number): Cell | null {
  const text = line < range.count ? lines[range.start + line] : undefined;
  return text === undefined ? null : { number: range.start + line + 1, text: text.replace(/\r?\n$/, '') };
}

export function textOf(lines: readonly string[], { start, count }: Piece['base']): string {
  return lines.slice(start, start + count).join('');
}

/** What a clash is known by: its lines, so that a decision outlives a reading again. */
export function clashKey(piece: Piece, texts: Texts): string {
  return JSON.stringify([
    textOf(texts.folder, piece.folder),
    textOf(texts.base, piece.base),
    textOf(texts.workspace, piece.workspace),
  ]);
}

export interface Merged {
  /** null: not every clash is decided. */
  readonly text: string | null;
  readonly undecided: number;
}

export function mergedText(pieces: readonly Piece[], texts: Texts, decisions: Decisions): Merged {
  let undecided = 0;
  const parts = pieces.map((piece, index) => {
    if (piece.kind !== 'clash') {
      const side = piece.kind === 'workspace' ? 'workspace' : 'folder';
      return textOf(texts[side], piece[side]);
    }
    const decision = decisions.get(clashKey(piece, texts));
    if (decision === undefined) {
      undecided += 1;
      return '';
    }
    if ('side' in decision) return textOf(texts[decision.side], piece[decision.side]);
    const isLast = index === pieces.length - 1;
    return isLast || decision.text === '' || decision.text.endsWith('\n')
      ? decision.text
      : `${decision.text}\n`;
  });
  return { text: undecided === 0 ? parts.join('') : null, undecided };
}
