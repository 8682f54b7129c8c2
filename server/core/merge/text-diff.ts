// The difference of two texts as hunks that `git apply` takes, with bounded work. Pure.
import { type Hunk, type LineRange, lineHunks, linesOf } from './line-diff.ts';

/** Bytes of each text; larger ones are not compared. */
export const diffBytesMax = 512 * 1024;
/** Common lines that are shown around a change, as git does. */
const contextLines = 3;

export interface TextDiff {
  /** Without a head; empty: the texts are equal. */
  readonly hunks: string;
  /** true: a line by line comparison is too much work, and one hunk replaces the whole text. It applies as any other. */
  readonly tooDifferent: boolean;
}

export function diffTexts(before: string, after: string): TextDiff {
  if (before === after) return { hunks: '', tooDifferent: false };
  const old = linesOf(before);
  const fresh = linesOf(after);
  const found = lineHunks(old, fresh);
  const whole: Hunk = {
    before: { start: 0, count: old.length },
    after: { start: 0, count: fresh.length },
  };
  const groups = found === null ? [[whole]] : grouped(found);
  return {
    hunks: groups.map((group) => hunkText(old, fresh, group)).join(''),
    tooDifferent: found === null,
  };
}

/** Changes whose context would meet are one hunk. */
function grouped(hunks: readonly Hunk[]): readonly (readonly Hunk[])[] {
  const groups: Hunk[][] = [];
  let last: Hunk | undefined;
  for (const hunk of hunks) {
    const isNear = last !== undefined && hunk.before.start - endOf(last.before) <= 2 * contextLines;
    if (isNear) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
    last = hunk;
  }
  return groups;
}

function hunkText(old: readonly string[], fresh: readonly string[], group: readonly Hunk[]): string {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return '';
  const above = Math.min(contextLines, first.before.start);
  const below = Math.min(contextLines, old.length - endOf(last.before));
  const before = {
    start: first.before.start - above,
    count: endOf(last.before) + below - (first.before.start - above),
  };
  const after = {
    start: first.after.start - above,
    count: endOf(last.after) + below - (first.after.start - above),
  };
  const parts = [`@@ -${numbersOf(before)} +${numbersOf(after)} @@\n`];
  let at = before.start;
  for (const hunk of group) {
    parts.push(marked(' ', old, { start: at, count: hunk.before.start - at }));
    parts.push(marked('-', old, hunk.before), marked('+', fresh, hunk.after));
    at = endOf(hunk.before);
  }
  parts.push(marked(' ', old, { start: at, count: below }));
  return parts.join('');
}

/** Lines count from 1; a range without lines names the line above it. */
function numbersOf({ start, count }: LineRange): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

function marked(mark: string, lines: readonly string[], { start, count }: LineRange): string {
  return lines
    .slice(start, start + count)
    .map((line) =>
      line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`,
    )
    .join('');
}

function endOf({ start, count }: LineRange): number {
  return start + count;
}
