// Converts line ends between a file and a text field, which has `\n` only. Unchanged lines keep their line end; new lines get the
// most frequent line end of the file. Pure.
import { twoWayHunks } from '../text/conflict-rows.ts';

type LineEnd = '\n' | '\r\n' | '\r';

/** The content with `\n` as every line end. */
export function forField(content: string): string {
  return content.includes('\r') ? content.replace(/\r\n?/g, '\n') : content;
}

/** `text`, edited from `forField(original)`, with the line ends of the original. */
export function fromField(original: string, text: string): string {
  if (!original.includes('\r')) return text;
  const lines = linesWithEnds(original);
  const usual = mostFrequentEnd(lines);
  const before = lines.map(({ text: line, end }) => line + (end === '' ? '' : '\n'));
  const after = text.split(/(?<=\n)/);
  const ends = new Map<number, LineEnd | ''>();
  for (const { kind, mine, theirs } of twoWayHunks(before, after)) {
    if (kind !== 'same') continue;
    for (let line = 0; line < mine.count; line += 1) {
      ends.set(theirs.start + line, lines[mine.start + line]?.end ?? usual);
    }
  }
  return after
    .map((line, index) => (line.endsWith('\n') ? line.slice(0, -1) + (ends.get(index) || usual) : line))
    .join('');
}

interface Line {
  readonly text: string;
  readonly end: LineEnd | '';
}

function linesWithEnds(content: string): readonly Line[] {
  return [...content.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)]
    .map(([, text = '', end = '']) => ({ text, end: end as Line['end'] }))
    .filter(({ text, end }) => text !== '' || end !== '');
}

function mostFrequentEnd(lines: readonly Line[]): LineEnd {
  const counts = new Map<LineEnd, number>();
  for (const { end } of lines) if (end !== '') counts.set(end, (counts.get(end) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? '\n';
}
