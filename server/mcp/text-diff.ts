// The unified diff that a tool shows: compared by lines where that is cheap, otherwise one hunk between the common beginning and end, so that no
// text holds the thread.
import { diffTexts } from '../core/merge/text-diff.ts';
import { diffLinesMax } from './limits.ts';
import { cut } from './tool-error.ts';

const contextLines = 3;

/** `truncated`: the diff has more characters than allowed. */
export function unifiedDiff(
  before: string,
  after: string,
  charactersMax: number,
): { readonly diff: string; readonly truncated: boolean } {
  if (before === after) return { diff: '', truncated: false };
  const old = before.split('\n');
  const fresh = after.split('\n');
  const isSmall = old.length + fresh.length <= diffLinesMax;
  const diff = isSmall ? diffTexts(before, after).hunks : oneHunk(old, fresh);
  return { diff: cut(diff, charactersMax), truncated: diff.length > charactersMax };
}

function oneHunk(old: readonly string[], fresh: readonly string[]): string {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const from = Math.max(0, start - contextLines);
  const below = Math.min(contextLines, end);
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
