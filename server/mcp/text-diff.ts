// The unified diff that a tool shows: compared by lines where that is cheap, otherwise one hunk between the common beginning and end, so that no
// text holds the thread.
import { diffTexts } from '../core/merge/text-diff.ts';
import { diffLinesMax } from './limits.ts';
import { lineFeed, lineFeedsIn } from './text-lines.ts';
import { cut } from './tool-error.ts';

const contextLines = 3;

/** `truncated`: the diff has more characters than allowed. */
export function unifiedDiff(
  before: string,
  after: string,
  charactersMax: number,
): { readonly diff: string; readonly truncated: boolean } {
  if (before === after) return { diff: '', truncated: false };
  const [old, fresh] = [withCodes(before), withCodes(after)];
  const lines = lineFeedsIn(old.codes, diffLinesMax) + lineFeedsIn(fresh.codes, diffLinesMax) + 2;
  const diff = lines <= diffLinesMax ? diffTexts(before, after).hunks : oneHunk(old, fresh, charactersMax);
  return { diff: cut(diff, charactersMax), truncated: diff.length > charactersMax };
}

/** A text and its UTF-16 codes, which are read five times as fast as the characters of a string. */
interface CodedText {
  readonly text: string;
  readonly codes: Uint16Array;
}

export function withCodes(text: string): CodedText {
  const { buffer, byteOffset } = Buffer.from(text, 'utf16le');
  return { text, codes: new Uint16Array(buffer, byteOffset, text.length) };
}

/** Lines of a text that follow each other, without the `\n` of the last one. null: none. */
type Lines = (CodedText & { readonly from: number; readonly to: number }) | null;

interface Compared {
  /** The same at the beginning of both texts. */
  readonly head: Lines;
  readonly removed: Lines;
  readonly added: Lines;
  /** The same at the end of both. */
  readonly tail: Lines;
}

/** Of a longer hunk at least `charactersMax + 1` characters. */
export function oneHunk(before: CodedText, after: CodedText, charactersMax: number): string {
  const { head, removed, added, tail } = compared(before, after);
  const above = lastLines(head, contextLines);
  const below = firstLines(tail, contextLines);
  const first = countOf(head) - countOf(above) + 1;
  const context = countOf(above) + countOf(below);
  // Each line of the hunk has all its characters.
  const marked = (mark: string, lines: Lines) =>
    lines === null
      ? []
      : lines.text
          .slice(lines.from, Math.min(lines.to, lines.from + charactersMax + 1))
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

function compared(before: CodedText, after: CodedText): Compared {
  const shorter = Math.min(before.text.length, after.text.length);
  let same = 0;
  while (same < shorter && before.codes[same] === after.codes[same]) same += 1;
  const isWholeLine = isLineEnd(before, same) && isLineEnd(after, same);
  const end = isWholeLine ? same : before.text.slice(0, same).lastIndexOf('\n');
  const head = end === -1 ? null : { ...before, from: 0, to: end };
  return { head, ...withoutTail(linesAfter(before, end), linesAfter(after, end)) };
}

/** The lines after the one that ends at `end`. */
function linesAfter(coded: CodedText, end: number): Lines {
  const { length } = coded.text;
  return end === length ? null : { ...coded, from: end + 1, to: length };
}

function withoutTail(removed: Lines, added: Lines): Omit<Compared, 'head'> {
  if (removed === null || added === null) return { removed, added, tail: null };
  const shorter = Math.min(removed.to - removed.from, added.to - added.from);
  let same = 0;
  while (same < shorter && removed.codes[removed.to - 1 - same] === added.codes[added.to - 1 - same])
    same += 1;
  const isWholeLine = isLineStart(removed, removed.to - same) && isLineStart(added, added.to - same);
  const end = isWholeLine ? removed.to - same - 1 : removed.text.indexOf('\n', removed.to - same);
  if (end === -1 && !isWholeLine) return { removed, added, tail: null };
  const tail = { ...removed, from: end + 1 };
  const length = tail.to - tail.from;
  return { removed: without(removed, length), added: without(added, length), tail };
}

/** Without the last lines, of so many characters. */
function without(lines: NonNullable<Lines>, length: number): Lines {
  return lines.to - lines.from === length ? null : { ...lines, to: lines.to - length - 1 };
}

function isLineEnd({ text, codes }: CodedText, at: number): boolean {
  return at === text.length || codes[at] === lineFeed;
}

function isLineStart({ codes, from }: NonNullable<Lines>, at: number): boolean {
  return at === from || codes[at - 1] === lineFeed;
}

function countOf(lines: Lines): number {
  return lines === null ? 0 : lineFeedsIn(lines.codes.subarray(lines.from, lines.to)) + 1;
}

function firstLines(lines: Lines, count: number): Lines {
  if (lines === null) return null;
  let end = lines.from - 1;
  for (let line = 0; line < count; line += 1) {
    end = lines.text.indexOf('\n', end + 1);
    if (end === -1 || end >= lines.to) return lines;
  }
  return { ...lines, to: end };
}

function lastLines(lines: Lines, count: number): Lines {
  if (lines === null) return null;
  let start = lines.to;
  for (let line = 0; line < count; line += 1) {
    start = start === 0 ? -1 : lines.text.lastIndexOf('\n', start - 1);
    if (start < lines.from) return lines;
  }
  return { ...lines, from: start + 1 };
}
