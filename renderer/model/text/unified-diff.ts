// Parses a unified diff into lines with the line numbers before and after. Pure.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  /** Line number; null: the line does not exist in this version. */
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
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
