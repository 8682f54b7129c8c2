// Compares two texts and writes the difference as hunks for `git apply`, with bounded work. Pure.
import { diffLines, endOf, type Hunk, type LineRange, linesOf } from './line-diff.ts';

/** Bytes per text; larger texts are not compared. */
export const diffBytesMax = 512 * 1024;
/** Common lines shown around a change, as in git. */
const contextLines = 3;
/** How a patch says that the line above it has no line end. */
const withoutLastEnd = '\\ No newline at end of file\n';

export interface TextDiff {
  /** Without a file header; empty: the texts are equal. */
  readonly hunks: string;
  /** true: a comparison by lines exceeds its limit of work or time, so one hunk replaces the whole text. It applies like any other. */
  readonly tooDifferent: boolean;
}

export function diffTexts(before: string, after: string): TextDiff {
  if (before === after) return { hunks: '', tooDifferent: false };
  const old = linesOf(before);
  const fresh = linesOf(after);
  const edits = diffLines(old, fresh);
  if (edits === null) return { hunks: replacedText(before, after), tooDifferent: true };
  const texts = grouped(edits).map((group) => hunkText(old, fresh, group));
  return { hunks: texts.join(''), tooDifferent: false };
}

/** One hunk that replaces the whole text: half a megabyte of short lines takes a tenth of a second. */
export function replacedText(before: string, after: string): string {
  const range = (text: string) => rangeText({ start: 0, count: lineCount(text) });
  return `@@ -${range(before)} +${range(after)} @@\n${markedText('-', before)}${markedText('+', after)}`;
}

function lineCount(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) count += 1;
  return count;
}

function markedText(mark: '-' | '+', text: string): string {
  if (text === '') return '';
  const hasLastEnd = text.endsWith('\n');
  const inner = hasLastEnd ? text.slice(0, -1) : text;
  return `${mark}${inner.replaceAll('\n', `\n${mark}`)}\n${hasLastEnd ? '' : withoutLastEnd}`;
}

/** Changes whose context lines would overlap are one hunk. */
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
  const texts = [`@@ -${rangeText(before)} +${rangeText(after)} @@\n`];
  let next = before.start;
  for (const hunk of group) {
    texts.push(marked(' ', old, { start: next, count: hunk.before.start - next }));
    texts.push(marked('-', old, hunk.before), marked('+', fresh, hunk.after));
    next = endOf(hunk.before);
  }
  texts.push(marked(' ', old, { start: next, count: below }));
  return texts.join('');
}

/** Lines are numbered from 1; an empty range names the line above it. */
function rangeText({ start, count }: LineRange): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

function marked(mark: string, lines: readonly string[], { start, count }: LineRange): string {
  return lines
    .slice(start, start + count)
    .map((line) => (line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n${withoutLastEnd}`))
    .join('');
}
