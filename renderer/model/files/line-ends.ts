// A field of a page knows one line end, files have three. What a person did not touch keeps its own; new lines get the one that
// the file has most. Pure.
import { alikeIn } from '../text/conflict-rows.ts';

type LineEnd = '\n' | '\r\n' | '\r';

/** As a field shows it: every line ends with `\n`. */
export function forField(content: string): string {
  return content.includes('\r') ? content.replace(/\r\n?/g, '\n') : content;
}

/** `text`, edited from `forField(original)`, with the line ends of the original. */
export function fromField(original: string, text: string): string {
  if (!original.includes('\r')) return text;
  const lines = linesWithEnds(original);
  const usual = mostOf(lines);
  const before = lines.map(({ text: line, end }) => line + (end === '' ? '' : '\n'));
  const after = text.split(/(?<=\n)/);
  const ends = new Map<number, LineEnd | ''>();
  for (const run of alikeIn(before, after)) {
    for (let line = 0; line < run.count; line += 1) {
      ends.set(run.workspace + line, lines[run.folder + line]?.end ?? usual);
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

function mostOf(lines: readonly Line[]): LineEnd {
  const counts = new Map<LineEnd, number>();
  for (const { end } of lines) if (end !== '') counts.set(end, (counts.get(end) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? '\n';
}
