// The lines of a diff with their numbers before and after, from a unified diff or from a comparison of two versions. Pure.
import { type Comparison, foldedLines } from './conflict-rows.ts';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  /** Line number; null: the line does not exist in this version. */
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
  /** Of a gap that can be shown: its hunk, and its number of lines. */
  readonly fold?: { readonly hunk: number; readonly count: number };
}

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The file header is skipped; every hunk after the first starts with a gap. */
export function parseUnifiedDiff(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of diff.split('\n')) {
    const head = hunkHead.exec(line);
    if (head !== null) {
      if (inHunk) lines.push({ kind: 'gap', before: null, after: null, text: '' });
      inHunk = true;
      before = Number(head[1]);
      after = Number(head[2]);
    } else if (!inHunk) {
      // The file header.
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'added', before: null, after: after++, text: line.slice(1) });
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', before: before++, after: null, text: line.slice(1) });
    } else if (line.startsWith(' ')) {
      lines.push({ kind: 'same', before: before++, after: after++, text: line.slice(1) });
    }
  }
  return lines;
}

/** The base as the version before and `mine` as the version after, in one column. `unfolded`: hunks whose lines are all shown. */
export function unifiedLines(comparison: Comparison, unfolded: ReadonlySet<number>): readonly DiffLine[] {
  const { hunks, versions } = comparison;
  const lineAt = (
    kind: 'same' | 'added' | 'removed',
    before: number | null,
    after: number | null,
  ): DiffLine => ({
    kind,
    before: before === null ? null : before + 1,
    after: after === null ? null : after + 1,
    text: (after === null ? versions.base[before ?? 0] : versions.mine[after])?.replace(/\r?\n$/, '') ?? '',
  });
  return hunks.flatMap(({ kind, base, mine }, index): readonly DiffLine[] => {
    if (kind !== 'same')
      return [
        ...Array.from({ length: base.count }, (_, line) => lineAt('removed', base.start + line, null)),
        ...Array.from({ length: mine.count }, (_, line) => lineAt('added', null, mine.start + line)),
      ];
    const same = Array.from({ length: mine.count }, (_, line) =>
      lineAt('same', base.start + line, mine.start + line),
    );
    const fold = unfolded.has(index) ? null : foldedLines(hunks, index);
    if (fold === null) return same;
    const gap = {
      kind: 'gap',
      before: null,
      after: null,
      text: '',
      fold: { hunk: index, count: fold.count },
    } as const;
    return [...same.slice(0, fold.start), gap, ...same.slice(fold.start + fold.count)];
  });
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

export function lineCounts(lines: readonly DiffLine[]): LineCounts {
  return {
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
  };
}

/** Indices of the lines that stand beside each other; null: nothing there. */
export interface SideRow {
  readonly before: number | null;
  readonly after: number | null;
}

/** The lines of a diff in two columns: the nth removed line of a change beside its nth added line. */
export function sideRows(lines: readonly DiffLine[]): readonly SideRow[] {
  const rows: SideRow[] = [];
  for (let index = 0; index < lines.length; ) {
    const kind = lines[index]?.kind;
    if (kind === 'same' || kind === 'gap') {
      rows.push({ before: index, after: index });
      index += 1;
      continue;
    }
    const removed = runLength(lines, index, 'removed');
    const added = runLength(lines, index + removed, 'added');
    for (let row = 0; row < Math.max(removed, added); row += 1)
      rows.push({
        before: row < removed ? index + row : null,
        after: row < added ? index + removed + row : null,
      });
    index += removed + added;
  }
  return rows;
}

/** The number of lines of this kind, from `from` on. */
export function runLength(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let index = from;
  while (lines[index]?.kind === kind) index += 1;
  return index - from;
}
