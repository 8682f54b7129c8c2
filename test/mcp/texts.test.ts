// Texts of some MiB: parts and diffs of them are those of the plain way over all lines, and hold no thread.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBytesMax } from '../../server/mcp/limits.ts';
import { oneHunk, unifiedDiff, withCodes } from '../../server/mcp/text-diff.ts';
import { linesOf } from '../../server/mcp/text-lines.ts';

const anyText = fc
  .array(fc.constantFrom('', 'a', 'b', 'ab', '🌊', 'x'), { maxLength: 8 })
  .chain((lines) => fc.constantFrom(lines.join('\n'), `${lines.join('\n')}\n`));

describe('the lines of a text', () => {
  it('are all of it, part after part', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 12 }), (text, charactersMax) => {
        let read = '';
        let at: { readonly startLine: number; readonly startCharacter: number } | null = {
          startLine: 1,
          startCharacter: 0,
        };
        while (at !== null) {
          const part = linesOf(Buffer.from(text), { ...at, lineCount: undefined, charactersMax });
          expect(part.content.length).toBeLessThanOrEqual(charactersMax);
          expect(part.truncated).toBe(part.nextLine !== undefined);
          read += part.content;
          at =
            part.nextLine === undefined
              ? null
              : { startLine: part.nextLine, startCharacter: part.nextCharacter ?? 0 };
        }
        expect(read).toBe(text);
      }),
    );
  });

  it('are those that were asked for', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: 1, max: 10 }),
        fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
        (text, startLine, lineCount) => {
          const lines = text === '' ? [] : text.split(/(?<=\n)/);
          const end = Math.min(lines.length, startLine - 1 + (lineCount ?? lines.length));
          const wanted = { startLine, lineCount, startCharacter: 0, charactersMax: 1_000 };
          expect(linesOf(Buffer.from(text), wanted)).toEqual({
            content: lines.slice(startLine - 1, end).join(''),
            startLine,
            totalLines: lines.length,
            truncated: false,
            ...(Math.max(end, startLine - 1) < lines.length ? { nextLine: end + 1 } : {}),
          });
        },
      ),
    );
  });
});

/** The same over arrays of all lines. */
function plainHunk(before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const from = Math.max(0, start - 3);
  const below = Math.min(3, end);
  const count = (lines: readonly string[]) => lines.length - end + below - from;
  return [
    `@@ -${from + 1},${count(old)} +${from + 1},${count(fresh)} @@`,
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, old.length - end + below).map((line) => ` ${line}`),
    '',
  ].join('\n');
}

describe('the hunk of two long texts', () => {
  it('is that of their lines, cut or not', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 1, max: 40 }), (before, after, charactersMax) => {
        fc.pre(before !== after);
        const whole = plainHunk(before, after);
        expect(oneHunk(withCodes(before), withCodes(after), 1_000)).toBe(whole);
        const cut = oneHunk(withCodes(before), withCodes(after), charactersMax);
        expect(cut.slice(0, charactersMax)).toBe(whole.slice(0, charactersMax));
        expect(cut.length > charactersMax).toBe(whole.length > charactersMax);
      }),
    );
  });
});

it('of line ends alone, as many as a tool loads, holds the thread less than a third of the time of an array of its lines', () => {
  const text = '\n'.repeat(readBytesMax);
  const bytes = Buffer.from(text);
  const timed = (work: () => unknown) => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  };
  const least = (work: () => unknown) => Math.min(...Array.from({ length: 3 }, () => timed(work)));
  const floor = least(() => text.split(/(?<=\n)/));
  const wanted = {
    startLine: readBytesMax - 10,
    lineCount: undefined,
    startCharacter: 0,
    charactersMax: 1_000,
  };
  expect(least(() => linesOf(bytes, wanted))).toBeLessThan(floor / 3);
  expect(least(() => unifiedDiff(text, `${text}x`, 1_000))).toBeLessThan(floor / 3);
});
