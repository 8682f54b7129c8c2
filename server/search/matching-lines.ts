// Cuts the lines of a match out of a text: number, text, ranges and context, each within its limit. Pure.
import type { SearchMatch } from '../contract/search.ts';
import { lineCharactersMax, lineRangesMax, matchedLinesMax } from './limits.ts';
import type { Range } from './matcher.ts';

/** `isCut`: further lines match. */
export function matchingLines(
  text: string,
  ranges: Iterable<Range>,
  context: number,
): { readonly matches: SearchMatch[]; readonly isCut: boolean } {
  const lines = new Lines(text);
  const found: { readonly at: Line; readonly ranges: Range[] }[] = [];
  for (const [start, end] of ranges) {
    const at = lines.at(start);
    const range: Range = [start - at.start, Math.min(end, at.end) - at.start];
    const last = found.at(-1);
    if (last?.at.number === at.number) {
      if (last.ranges.length < lineRangesMax) last.ranges.push(range);
      continue;
    }
    if (found.length === matchedLinesMax) return { matches: found.map(matchOf), isCut: true };
    found.push({ at, ranges: [range] });
  }
  return { matches: found.map(matchOf), isCut: false };

  function matchOf({ at, ranges: within }: (typeof found)[number]): SearchMatch {
    return {
      line: at.number,
      ...cutLine(text.slice(at.start, at.end), within),
      ...(context === 0
        ? {}
        : { before: linesBefore(text, at, context), after: linesAfter(text, at, context) }),
    };
  }
}

interface Line {
  /** From 1. */
  readonly number: number;
  readonly start: number;
  /** Without the line break. */
  readonly end: number;
}

/** Finds lines of rising positions. */
class Lines {
  readonly #text: string;
  #number = 1;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  at(position: number): Line {
    for (;;) {
      const lineBreak = this.#text.indexOf('\n', this.#start);
      if (lineBreak === -1 || position <= lineBreak) {
        const end = lineBreak === -1 ? this.#text.length : lineBreak;
        return { number: this.#number, start: this.#start, end: withoutReturn(this.#text, this.#start, end) };
      }
      this.#number += 1;
      this.#start = lineBreak + 1;
    }
  }
}

function withoutReturn(text: string, start: number, end: number): number {
  return end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
}

/** A long line is cut around its first range. */
function cutLine(line: string, ranges: readonly Range[]): Pick<SearchMatch, 'text' | 'offset' | 'ranges'> {
  const [first = 0] = ranges[0] ?? [];
  const wanted = line.length <= lineCharactersMax ? 0 : Math.max(0, first - lineCharactersMax / 4);
  const start = wholeCharacter(line, Math.min(wanted, Math.max(0, line.length - lineCharactersMax)));
  const end = wholeCharacter(line, Math.min(line.length, start + lineCharactersMax));
  return {
    text: line.slice(start, end),
    ...(start === 0 ? {} : { offset: start }),
    ranges: ranges
      .filter(([from]) => from >= start && from <= end)
      .map(([from, to]) => ({ start: from - start, end: Math.min(to, end) - start })),
  };
}

/** Not between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? at - 1 : at;
}

function contextLine(line: string): string {
  return line.slice(0, wholeCharacter(line, Math.min(line.length, lineCharactersMax)));
}

function linesBefore(text: string, { start }: Line, count: number): string[] {
  const lines: string[] = [];
  let end = start - 1;
  while (lines.length < count && end >= 0) {
    const from = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    lines.unshift(contextLine(text.slice(from, withoutReturn(text, from, end))));
    end = from - 1;
  }
  return lines;
}

function linesAfter(text: string, { end }: Line, count: number): string[] {
  const lines: string[] = [];
  let lineBreak = text.indexOf('\n', end);
  // The end of the last line begins no further one.
  while (lines.length < count && lineBreak !== -1 && lineBreak + 1 < text.length) {
    const from = lineBreak + 1;
    lineBreak = text.indexOf('\n', from);
    const lineEnd = lineBreak === -1 ? text.length : lineBreak;
    lines.push(contextLine(text.slice(from, withoutReturn(text, from, lineEnd))));
  }
  return lines;
}
