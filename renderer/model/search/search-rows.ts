// Results of a search as rows of a list: headings, names and files with their first lines. Pure.
import type { SearchItem } from '../../../sdk/index.ts';
import { plural } from '../format.ts';
import { shifted, type TextRange } from '../text/text-parts.ts';

export interface FoundFile extends SearchItem {
  readonly workspaceId: string;
}

export type SearchRow =
  | { readonly kind: 'heading'; readonly id: string; readonly text: string; readonly note: string }
  | { readonly kind: 'name' | 'content'; readonly id: string; readonly file: FoundFile };

export interface FoundRows {
  readonly names: readonly FoundFile[];
  readonly contents: readonly FoundFile[];
  /** More exist than were loaded. */
  readonly hasMoreNames: boolean;
  readonly hasMoreContents: boolean;
}

/** Lines of a file in the list. */
export const shownLinesMax = 3;
const headingPx = 30;
const namePx = 32;
const pathPx = 34;
const linePx = 22;
const morePx = 20;

/** A heading is shown only where there are both. */
export function searchRows({
  names,
  contents,
  hasMoreNames,
  hasMoreContents,
}: FoundRows): readonly SearchRow[] {
  const hasBoth = names.length > 0 && contents.length > 0;
  return [
    ...(hasBoth ? [heading('Names', shownOf(names.length, hasMoreNames))] : []),
    ...names.map((file): SearchRow => ({ kind: 'name', id: rowId('name', file), file })),
    ...(hasBoth ? [heading('Contents', shownOf(contents.length, hasMoreContents))] : []),
    ...contents.map((file): SearchRow => ({ kind: 'content', id: rowId('content', file), file })),
  ];
}

function rowId(kind: 'name' | 'content', { workspaceId, path }: FoundFile): string {
  return `${kind} ${workspaceId} ${path}`;
}

export function rowPx(row: SearchRow): number {
  if (row.kind === 'heading') return headingPx;
  if (row.kind === 'name') return namePx;
  const { matches } = row.file;
  const more = moreLines(row.file) === null ? 0 : morePx;
  return pathPx + Math.min(matches.length, shownLinesMax) * linePx + more + 8;
}

/** What the list does not show of a file; null: nothing. */
export function moreLines({ matches, moreMatches }: SearchItem): string | null {
  const hidden = matches.length - shownLinesMax;
  if (moreMatches) return `More than ${plural(Math.max(hidden, 1), 'further line')}`;
  return hidden > 0 ? plural(hidden, 'further line') : null;
}

/** `5 files, 8 lines`, or `5 files` when only names were found. */
export function resultText({ names, contents, hasMoreNames, hasMoreContents }: FoundRows): string {
  const lines = contents.reduce((total, { matches }) => total + matches.length, 0);
  const isMore = hasMoreNames || hasMoreContents || contents.some(({ moreMatches }) => moreMatches);
  const files = new Set([...names, ...contents].map((file) => `${file.workspaceId} ${file.path}`)).size;
  const text = lines === 0 ? plural(files, 'file') : `${plural(files, 'file')}, ${plural(lines, 'line')}`;
  return isMore ? `First ${text}` : text;
}

/** A lower score means that the characters are in the path, but not in one piece. */
const closeScore = 0.4;

/** The names that contain the text in one piece, if there are any. */
export function closestNames(names: readonly FoundFile[]): readonly FoundFile[] {
  const close = names.filter(({ score }) => score >= closeScore);
  return close.length > 0 ? close : names;
}

export interface ShownLine {
  readonly text: string;
  readonly ranges: readonly TextRange[];
  /** The line begins earlier. */
  readonly isCut: boolean;
}

/** The lines with the most matches, in the order of the file. */
export function bestLines(matches: SearchItem['matches'], max: number): SearchItem['matches'] {
  return matches
    .toSorted((left, right) => right.ranges.length - left.ranges.length || left.line - right.line)
    .slice(0, max)
    .toSorted((left, right) => left.line - right.line);
}

/** Characters before the first match in a list. */
const beforeMatchMax = 44;
const beforeCutMatch = 16;

/** A line without its indentation, cut at a word so that its first match is in view. */
export function shownLine({ text, ranges }: SearchItem['matches'][number]): ShownLine {
  const matchStart = ranges[0]?.start ?? 0;
  const indent = Math.min(text.length - text.trimStart().length, matchStart);
  if (matchStart - indent <= beforeMatchMax)
    return { text: text.slice(indent), ranges: shifted(ranges, -indent), isCut: false };
  const from = matchStart - beforeCutMatch;
  const space = text.slice(from, matchStart).search(/\s\S/);
  const cut = space === -1 ? from : from + space + 1;
  return { text: text.slice(cut), ranges: shifted(ranges, -cut), isCut: true };
}

/** Matched characters by line number, in the whole line. */
export function marksOf({ matches }: SearchItem): ReadonlyMap<number, readonly TextRange[]> {
  return new Map(matches.map(({ line, offset = 0, ranges }) => [line, shifted(ranges, offset)]));
}

function heading(text: string, note: string): SearchRow {
  return { kind: 'heading', id: `heading ${text}`, text, note };
}

function shownOf(files: number, hasMore: boolean): string {
  return hasMore ? `first ${plural(files, 'file')}` : plural(files, 'file');
}
