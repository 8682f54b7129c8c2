// Lines of a UTF-8 text of some MiB, without an array of all of them, which would hold the thread. A line ends with its `\n`.
import { cut } from './tool-error.ts';

export const lineFeed = 0x0a;
const utf8BytesMax = 4;

/** Number of `\n` in UTF-8 or UTF-16; of more than `countMax` it is any larger one. */
export function lineFeedsIn(text: Uint8Array | Uint16Array, countMax = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= countMax; at += 1) if (text[at] === lineFeed) count += 1;
  return count;
}

/** The first characters, at most `charactersMax`. */
function decodeStart(text: Buffer, charactersMax: number): string {
  // A character that is cut is beyond them.
  return cut(text.toString('utf8', 0, (charactersMax + 1) * utf8BytesMax), charactersMax);
}

export interface TextPart {
  /** From 1. */
  readonly startLine: number;
  /** undefined: to the end. */
  readonly lineCount: number | undefined;
  /** In the first line. */
  readonly startCharacter: number;
  readonly charactersMax: number;
}

export interface TextLines {
  readonly content: string;
  readonly startLine: number;
  readonly totalLines: number;
  /** More was asked for. */
  readonly truncated: boolean;
  /** Absent: the text ends here. */
  readonly nextLine?: number;
  /** In `nextLine`. Absent: its first one. */
  readonly nextCharacter?: number;
}

/** Whole lines; only a line that alone is longer than `charactersMax` is cut, and continued at `nextCharacter`. */
export function linesOf(text: Buffer, part: TextPart): TextLines {
  const { startLine, lineCount, startCharacter, charactersMax } = part;
  const totalLines = lineFeedsIn(text) + (text.length === 0 || text.at(-1) === lineFeed ? 0 : 1);
  const lastLine = Math.min(totalLines, startLine - 1 + (lineCount ?? totalLines));
  const facts = { startLine, totalLines };
  // One character more than the answer may have, or two where the last one would be half of a pair.
  const lines = decodeStart(text.subarray(offsetOfLine(text, startLine)), startCharacter + charactersMax + 2);
  const from = Math.min(startCharacter, endOfLine(lines, 0));
  let end = from;
  let line = startLine;
  for (; line <= lastLine; line += 1) {
    const next = endOfLine(lines, end);
    if (next - from > charactersMax) {
      if (line > startLine) break;
      const content = cut(lines.slice(from, next), charactersMax);
      const nextCharacter = startCharacter + content.length;
      return { content, ...facts, truncated: true, nextLine: line, nextCharacter };
    }
    end = next;
  }
  const nextLine = line <= totalLines ? { nextLine: line } : {};
  return { content: lines.slice(from, end), ...facts, truncated: line <= lastLine, ...nextLine };
}

/** The length of the text when it has fewer lines. */
function offsetOfLine(text: Uint8Array, line: number): number {
  let at = 0;
  for (let current = 1; current < line && at < text.length; at += 1) if (text[at] === lineFeed) current += 1;
  return at;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
}
