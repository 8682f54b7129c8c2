// Searches paths: each word of the query must occur in the path, in one piece or with other characters in between. Names before folders,
// whole names before parts, short paths before long ones.
import type { SearchItem } from '../contract/search.ts';
import { type FileEntry, revisionName } from '../core/entry.ts';
import { comparePaths, nameOf } from '../core/paths/path.ts';
import { endOfSubtree, startOfSubtree } from '../store/database/rows.ts';
import type { ReadStatements } from '../store/database/statements.ts';
import type { FoundPage, SearchDeps } from './content-search.ts';
import { createFileFilter, type FileFilter } from './file-filter.ts';
import { foldCase } from './fold.ts';
import { examinedNamesMax, forkPathsMax, queryTermsMax, rankedNamesMax } from './limits.ts';
import { type SearchQuery, SearchQueryError } from './search-query.ts';
import type { SearchWork } from './search-work.ts';
import { differingPaths, type SearchedPlace, searchedFiles } from './searched-files.ts';

export interface NamePosition {
  readonly score: number;
  readonly path: string;
}

export async function searchNames(
  deps: SearchDeps,
  query: SearchQuery,
  place: SearchedPlace,
  position: NamePosition | undefined,
  work: SearchWork,
): Promise<FoundPage<NamePosition>> {
  const words = wordsOf(query);
  const filter = createFileFilter(query);
  const named = new Map<string, number>();
  const differing = differingPaths(deps.store, place, forkPathsMax);
  const isOpen = searchedFiles(deps.store, place)?.isOpen ?? false;
  const { glob, provider, changedSinceMs, forkId } = query;
  // What is hidden or filtered out must not take the places of others: then each file is read before it is ranked.
  const isPlain = isOpen && glob === null && provider === null && changedSinceMs === null && forkId === null;
  const taking: Taking = { deps, place, filter, words, named, work, isPlain };
  let isCut = await take(taking, differing.slice(0, forkPathsMax));
  const rowsMax = isPlain ? rankedNamesMax : examinedNamesMax;
  for (const pattern of [atNameStart, inOnePiece, inPieces]) {
    if (isCut) break;
    const paths = pathsWith(deps.index, place, words, pattern, rowsMax);
    isCut = (await take(taking, paths)) || (!isPlain && paths.length === rowsMax);
  }
  const ranked = [...named].map(([path, score]) => ({ path, score })).toSorted(byRank);
  const rest = position === undefined ? ranked : ranked.filter((one) => byRank(one, position) > 0);
  const { items, last } = itemsOf(deps, place, rest, words, query.limit);
  const next = last === undefined || last === rest.at(-1) ? null : last;
  return { items, next, isCut: isCut || differing.length > forkPathsMax };
}

/** The first files of the list that still exist. `last`: the last path that was looked up. */
function itemsOf(
  { store }: SearchDeps,
  place: SearchedPlace,
  ranked: readonly NamePosition[],
  words: readonly string[],
  limit: number,
): { readonly items: readonly SearchItem[]; readonly last: NamePosition | undefined } {
  return store.consistently(() => {
    const files = searchedFiles(store, place);
    const items: SearchItem[] = [];
    let last: NamePosition | undefined;
    for (const one of ranked) {
      if (items.length === limit) break;
      last = one;
      const file = files?.file(one.path) ?? null;
      if (file !== null) items.push(itemOf(file, one.score, words));
    }
    return { items, last };
  });
}

function wordsOf({ q }: SearchQuery): readonly string[] {
  const words = foldCase(q)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) throw new SearchQueryError('q is blank: enter a part of a name');
  if (words.length > queryTermsMax)
    throw new SearchQueryError(`q has more than ${queryTermsMax} words: use fewer`);
  return words;
}

function byRank(left: NamePosition, right: NamePosition): number {
  return right.score - left.score || comparePaths(left.path, right.path);
}

interface Taking {
  readonly deps: SearchDeps;
  readonly place: SearchedPlace;
  readonly filter: FileFilter;
  readonly words: readonly string[];
  readonly named: Map<string, number>;
  readonly work: SearchWork;
  /** Nothing is hidden or filtered out: files are read when they are shown. */
  readonly isPlain: boolean;
}

/** Adds the paths that match and that the subject may read; in slices. true: a limit ended it. */
async function take(
  { deps: { store }, place, filter, words, named, work, isPlain }: Taking,
  paths: readonly string[],
): Promise<boolean> {
  let taken = 0;
  for (;;) {
    const end = store.consistently(() => {
      const files = searchedFiles(store, place);
      if (files === null) return 'done';
      while (taken < paths.length && !work.isSliceOver) {
        if (named.size >= rankedNamesMax) return 'full';
        const path = paths[taken] as string;
        taken += 1;
        if (named.has(path) || !filter.path(path)) continue;
        const score = scoreOf(path, words);
        if (score === null) continue;
        const file = isPlain ? null : files.file(path);
        if (isPlain || (file !== null && filter.file(file))) named.set(path, score);
      }
      if (taken === paths.length) return 'done';
      return work.isAtLimit ? 'limit' : null;
    });
    if (end === 'done') return false;
    if (end !== null) return true;
    await work.rest();
  }
}

// ---- the index

const atNameStart = (word: string) => `%/${[...word].map(patternOf).join('')}%`;
const inOnePiece = (word: string) => `%${[...word].map(patternOf).join('')}%`;
const inPieces = (word: string) => `%${[...word].map(patternOf).join('%')}%`;

/** LIKE ignores the case of ASCII only; any other character matches each one here, and the score decides. */
function patternOf(character: string): string {
  if (character > '\x7f') return '%';
  return /[%_\\]/.test(character) ? `\\${character}` : character;
}

/** The two longest words narrow the rows; the score decides about all. */
const selectPaths = `SELECT path FROM files
  WHERE workspace = ? AND (path = ? OR (path > ? AND path < ?)) AND path LIKE ? ESCAPE '\\' AND path LIKE ? ESCAPE '\\'
  ORDER BY length(path), path LIMIT ?`;

function pathsWith(
  index: ReadStatements,
  { workspace, path, pathOnly }: SearchedPlace,
  words: readonly string[],
  pattern: (word: string) => string,
  rowsMax: number,
): readonly string[] {
  const [first = '', second = ''] = words.toSorted((left, right) => right.length - left.length);
  const rows = index.all<{ path: string }>(
    selectPaths,
    workspace,
    path,
    startOfSubtree(path),
    pathOnly ? '' : endOfSubtree(path),
    pattern(first),
    second === '' ? '%' : pattern(second),
    rowsMax,
  );
  return rows.map((row) => row.path);
}

// ---- the score

/** null: a word does not occur. */
function scoreOf(path: string, words: readonly string[]): number | null {
  const folded = foldCase(path);
  const name = nameOf(folded);
  let score = 0;
  for (const word of words) {
    const quality = qualityOf(folded, name, word);
    if (quality === null) return null;
    score += quality;
  }
  const brevity = 1 / (1 + path.length / 100);
  return Math.round((0.9 * (score / words.length) + 0.1 * brevity) * 10_000) / 10_000;
}

function qualityOf(path: string, name: string, word: string): number | null {
  if (name === word) return 1;
  if (name.startsWith(word)) return 0.9;
  if (name.includes(word)) return isAfterBreak(name, word) ? 0.8 : 0.7;
  if (path.includes(word)) return 0.5;
  if (piecesIn(name, word) !== null) return 0.3;
  return piecesIn(path, word) === null ? null : 0.1;
}

/** Does it occur at the beginning of a word? */
function isAfterBreak(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at !== -1; at = name.indexOf(word, at + 1))
    if (at > 0 && !/[\p{L}\p{N}]/u.test(name[at - 1] ?? '')) return true;
  return false;
}

/** Positions of the characters in their order; null: one is missing. */
function piecesIn(text: string, word: string): readonly number[] | null {
  const positions: number[] = [];
  let from = 0;
  for (const character of word) {
    const at = text.indexOf(character, from);
    if (at === -1) return null;
    positions.push(at);
    from = at + character.length;
  }
  return positions;
}

function itemOf(file: FileEntry, score: number, words: readonly string[]): SearchItem {
  const { path, contentType } = file;
  return {
    path,
    revision: revisionName(file),
    contentType,
    score,
    matches: [],
    moreMatches: false,
    pathRanges: words.flatMap((word) => rangesIn(path, word)),
  };
}

function rangesIn(path: string, word: string): { start: number; end: number }[] {
  const folded = foldCase(path);
  const nameStart = folded.length - nameOf(folded).length;
  const inName = folded.indexOf(word, nameStart);
  const whole = inName === -1 ? folded.indexOf(word) : inName;
  if (whole !== -1) return [{ start: whole, end: whole + word.length }];
  const name = piecesIn(folded.slice(nameStart), word)?.map((at) => at + nameStart);
  return (name ?? piecesIn(folded, word) ?? []).map((at) => ({ start: at, end: at + 1 }));
}
