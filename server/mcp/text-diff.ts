// The unified diff that a tool shows: compared by lines where that is cheap, otherwise one hunk between the common beginning and end, so that no
// text holds the thread.
import { diffTexts } from '../core/merge/text-diff.ts';
import { diffLinesMax } from './limits.ts';
import { decodeStart, lineFeed, lineFeedsIn } from './text-lines.ts';
import { cut } from './tool-error.ts';

const contextLines = 3;

/** `truncated`: the diff has more characters than allowed. */
export function unifiedDiff(
  before: string,
  after: string,
  charactersMax: number,
): { readonly diff: string; readonly truncated: boolean } {
  if (before === after) return { diff: '', truncated: false };
  const [old, fresh] = [Buffer.from(before), Buffer.from(after)];
  const lines = lineFeedsIn(old, diffLinesMax) + lineFeedsIn(fresh, diffLinesMax) + 2;
  const diff = lines <= diffLinesMax ? diffTexts(before, after).hunks : oneHunk(old, fresh, charactersMax);
  return { diff: cut(diff, charactersMax), truncated: diff.length > charactersMax };
}

/** Lines that follow each other, with `\n` between them. null: none. */
type Lines = Buffer | null;

interface Compared {
  /** The same at the beginning of both texts. */
  readonly head: Lines;
  readonly removed: Lines;
  readonly added: Lines;
  /** The same at the end of both. */
  readonly tail: Lines;
}

/** Of two UTF-8 texts. Of a longer hunk at least `charactersMax + 1` characters. */
export function oneHunk(before: Buffer, after: Buffer, charactersMax: number): string {
  const { head, removed, added, tail } = compared(before, after);
  const above = lastLines(head, contextLines);
  const below = firstLines(tail, contextLines);
  const first = countOf(head) - countOf(above) + 1;
  const context = countOf(above) + countOf(below);
  // Each line of the hunk has all its characters.
  const marked = (mark: string, lines: Lines) =>
    lines === null
      ? []
      : decodeStart(lines, charactersMax + 2)
          .split('\n')
          .map((line) => mark + line);
  return [
    `@@ -${first},${countOf(removed) + context} +${first},${countOf(added) + context} @@`,
    ...marked(' ', above),
    ...marked('-', removed),
    ...marked('+', added),
    ...marked(' ', below),
    '',
  ].join('\n');
}

function compared(before: Buffer, after: Buffer): Compared {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  const isWholeLine = isLineEnd(before, same) && isLineEnd(after, same);
  const end = isWholeLine ? same : before.subarray(0, same).lastIndexOf(lineFeed);
  const head = end === -1 ? null : before.subarray(0, end);
  return { head, ...withoutTail(linesAfter(before, end), linesAfter(after, end)) };
}

/** The lines after the one that ends at `end`. */
function linesAfter(text: Buffer, end: number): Lines {
  return end === text.length ? null : text.subarray(end + 1);
}

function withoutTail(removed: Lines, added: Lines): Omit<Compared, 'head'> {
  if (removed === null || added === null) return { removed, added, tail: null };
  const shorter = Math.min(removed.length, added.length);
  let same = 0;
  while (same < shorter && removed[removed.length - 1 - same] === added[added.length - 1 - same]) same += 1;
  const sameFrom = removed.length - same;
  const isWholeLine = isLineStart(removed, sameFrom) && isLineStart(added, added.length - same);
  const start = isWholeLine ? sameFrom : removed.indexOf(lineFeed, sameFrom) + 1;
  if (start === 0 && !isWholeLine) return { removed, added, tail: null };
  const tail = removed.subarray(start);
  return { removed: without(removed, tail), added: without(added, tail), tail };
}

function without(lines: Buffer, tail: Buffer): Lines {
  return lines.length === tail.length ? null : lines.subarray(0, lines.length - tail.length - 1);
}

function isLineEnd(text: Buffer, at: number): boolean {
  return at === text.length || text[at] === lineFeed;
}

function isLineStart(text: Buffer, at: number): boolean {
  return at === 0 || text[at - 1] === lineFeed;
}

function countOf(lines: Lines): number {
  return lines === null ? 0 : lineFeedsIn(lines) + 1;
}

function firstLines(lines: Lines, count: number): Lines {
  let end = -1;
  for (let line = 0; lines !== null && line < count; line += 1) {
    end = lines.indexOf(lineFeed, end + 1);
    if (end === -1) return lines;
  }
  return lines === null ? null : lines.subarray(0, end);
}

function lastLines(lines: Lines, count: number): Lines {
  let start = lines?.length ?? 0;
  for (let line = 0; lines !== null && line < count; line += 1) {
    start = lines.subarray(0, start).lastIndexOf(lineFeed);
    if (start === -1) return lines;
  }
  return lines === null ? null : lines.subarray(start + 1);
}
