// Searches paths: each word of the query must occur in the path, in one piece or, where too few paths have that, with other characters in
// between. All paths are looked through, and the best of them are kept; hidden and filtered ones take no place of others.
import type { SearchItem } from '../contract/search.ts';
import { type FileEntry, revisionName } from '../core/entry.ts';
import { comparePaths } from '../core/paths/path.ts';
import { endOfSubtree, startOfSubtree } from '../store/database/rows.ts';
import { fileRead } from '../store/tables/files/files.ts';
import type { FoundPage, SearchDeps } from './content-search.ts';
import { createFileFilter, type FileFilter } from './file-filter.ts';
import { foldCase } from './fold.ts';
import { examinedNamesMax, forkPathsMax, queryTermsMax } from './limits.ts';
import type { NameBlocks, ReadBlock } from './name-blocks.ts';
import { LinesWithPieces, LinesWithWord } from './name-lines.ts';
import {
  onePieceScoreMin,
  rangesInPath,
  scoreInOnePiece,
  scoreInPieces,
  scoreMaxInPieces,
  scoreMaxWithin,
} from './name-score.ts';
import { type SearchQuery, SearchQueryError } from './search-query.ts';
import type { SearchWork } from './search-work.ts';
import { differingPaths, type SearchedFiles, type SearchedPlace, searchedFiles } from './searched-files.ts';

/** The last path that was shown. */
export interface NamePosition {
  readonly score: number;
  readonly path: string;
}

export interface NameSearchDeps extends Pick<SearchDeps, 'store'> {
  readonly names: NameBlocks;
}

interface Search {
  readonly deps: NameSearchDeps;
  readonly place: SearchedPlace;
  readonly filter: FileFilter;
  /** Folded, the longest first. */
  readonly words: readonly string[];
  readonly after: NamePosition | undefined;
  readonly work: SearchWork;
  /** Nothing is hidden or filtered out: files are read when they are shown. Otherwise each is read before it is kept. */
  readonly isPlain: boolean;
  readonly differing: ReadonlySet<string>;
  readonly best: BestNames;
  examined: number;
}

type Pass = 'one_piece' | 'pieces';

export async function searchNames(
  deps: NameSearchDeps,
  query: SearchQuery,
  place: SearchedPlace,
  after: NamePosition | undefined,
  work: SearchWork,
): Promise<FoundPage<NamePosition>> {
  const differing = differingPaths(deps.store, place, forkPathsMax);
  const isOpen = searchedFiles(deps.store, place)?.isOpen ?? false;
  const { glob, provider, changedSinceMs, forkId, limit } = query;
  const search: Search = {
    deps,
    place,
    filter: createFileFilter(query),
    words: wordsOf(query),
    after,
    work,
    isPlain: isOpen && glob === null && provider === null && changedSinceMs === null && forkId === null,
    differing: new Set(differing.slice(0, forkPathsMax)),
    // One more than the page shows that there are more.
    best: new BestNames(limit + 1),
    examined: 0,
  };
  let isCut = differing.length > forkPathsMax;
  if (after === undefined || after.score >= onePieceScoreMin)
    isCut = (await lookThrough(search, 'one_piece')) || isCut;
  if (search.best.length <= limit) isCut = (await lookThrough(search, 'pieces')) || isCut;
  const shown = search.best.names.slice(0, limit);
  const next = search.best.length > limit ? shown.at(-1) : undefined;
  return { items: itemsOf(search, shown), next: next ?? null, isCut };
}

function wordsOf({ q }: SearchQuery): readonly string[] {
  const words = foldCase(q)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) throw new SearchQueryError('q is blank: enter a part of a name');
  if (words.length > queryTermsMax)
    throw new SearchQueryError(`q has more than ${queryTermsMax} words: use fewer`);
  return words.toSorted((left, right) => right.length - left.length);
}

/** Takes the matching paths of the place, in slices. true: a limit ended it. */
async function lookThrough(search: Search, pass: Pass): Promise<boolean> {
  const { deps, place } = search;
  // The place can be a file, and a fork has paths that the index does not have.
  const more = new Set([...search.differing, ...(place.path === '/' ? [] : [place.path])]);
  const paths = more.values();
  const isLimited = await inSlices(search, (files) => {
    const { value, done } = paths.next();
    if (done === true) return false;
    take(search, pass, value, foldCase(value), files);
    return true;
  });
  if (isLimited) return true;
  if (place.pathOnly) return false;
  const end = endOfSubtree(place.path);
  for (let from: string | null = startOfSubtree(place.path); from !== null && comparePaths(from, end) < 0; ) {
    const block = deps.names.after(place.workspace, from);
    if (await takeBlock(search, pass, block)) return true;
    from = block.to;
  }
  return false;
}

/** Takes the matching paths of a block that are within the place. true: a limit ended it. */
async function takeBlock(search: Search, pass: Pass, { text, folded }: ReadBlock): Promise<boolean> {
  const { place, words, best, isPlain, differing } = search;
  const [word = ''] = words;
  const lines = pass === 'one_piece' ? new LinesWithWord(folded, word) : new LinesWithPieces(folded, word);
  const inPlace = place.path === '/' ? null : startOfSubtree(place.path);
  return await inSlices(search, (files) => {
    if (!lines.next()) return false;
    const { start, end } = lines;
    const worst = best.worst;
    if (worst !== null && isBelow(worst.score, { pass, words, folded, start, end })) return true;
    if (inPlace !== null && !text.startsWith(inPlace, start)) return true;
    const path = text.slice(start, end);
    if (!differing.has(path)) take(search, pass, path, folded.slice(start, end), isPlain ? null : files);
    return true;
  });
}

interface Line {
  readonly pass: Pass;
  readonly words: readonly string[];
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

/** The path cannot have this score. Known without a copy of the path, as most of many matching paths are not among the best. */
function isBelow(score: number, { pass, words, folded, start, end }: Line): boolean {
  const length = end - start;
  if (pass === 'pieces') return score > scoreMaxInPieces(length);
  return score > scoreMaxWithin(words.length, length) && !beginsWithWord(folded, start, end, words);
}

function beginsWithWord(folded: string, start: number, end: number, words: readonly string[]): boolean {
  const nameStart = Math.max(folded.lastIndexOf('/', end - 1), start) + 1;
  return words.some((word) => folded.startsWith(word, nameStart));
}

/** Calls `step` until it answers false. true: a limit ended it. */
async function inSlices(search: Search, step: (files: SearchedFiles) => boolean): Promise<boolean> {
  const { deps, place, work } = search;
  for (;;) {
    const isDone = deps.store.consistently(() => {
      const files = searchedFiles(deps.store, place);
      if (files === null) return true;
      while (!work.isSliceOver) if (!step(files)) return true;
      return false;
    });
    if (search.examined >= examinedNamesMax || work.isAtLimit) return true;
    if (isDone) return false;
    await work.rest();
  }
}

/** `files` null: the file is not read. */
function take(search: Search, pass: Pass, path: string, folded: string, files: SearchedFiles | null): void {
  const { after, best, filter, words } = search;
  const inOnePiece = scoreInOnePiece(folded, words);
  if (pass === 'pieces' && inOnePiece !== null) return;
  const score = pass === 'pieces' ? scoreInPieces(folded, words) : inOnePiece;
  if (score === null) return;
  const one = { score, path };
  if ((after !== undefined && byRank(one, after) <= 0) || !best.takes(one) || !filter.path(path)) return;
  if (files !== null) {
    search.examined += 1;
    const file = files.file(path);
    if (file === null || !filter.file(file)) return;
  }
  best.add(one);
}

function byRank(left: NamePosition, right: NamePosition): number {
  return right.score - left.score || comparePaths(left.path, right.path);
}

/** The best of all that were added, in their order. */
class BestNames {
  readonly names: NamePosition[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get length(): number {
    return this.names.length;
  }

  /** null: there is room. */
  get worst(): NamePosition | null {
    return this.names.length < this.#max ? null : (this.names.at(-1) ?? null);
  }

  takes(one: NamePosition): boolean {
    const { worst } = this;
    return worst === null || byRank(one, worst) < 0;
  }

  add(one: NamePosition): void {
    let [low, high] = [0, this.names.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (byRank(one, this.names[middle] as NamePosition) < 0) high = middle;
      else low = middle + 1;
    }
    this.names.splice(low, 0, one);
    if (this.names.length > this.#max) this.names.pop();
  }
}

/** The files that still exist. */
function itemsOf(
  { deps: { store }, place, words }: Search,
  names: readonly NamePosition[],
): readonly SearchItem[] {
  return store.consistently(() => {
    const files = searchedFiles(store, place);
    const asked = place.forkId === null ? names.map(({ path }) => fileRead(place.workspace, path)) : [];
    return store.together(asked, () =>
      names.flatMap(({ path, score }) => {
        const file = files?.file(path) ?? null;
        return file === null ? [] : [itemOf(file, score, words)];
      }),
    );
  });
}

function itemOf(file: FileEntry, score: number, words: readonly string[]): SearchItem {
  const { path, contentType } = file;
  const folded = foldCase(path);
  return {
    path,
    revision: revisionName(file),
    contentType,
    score,
    matches: [],
    moreMatches: false,
    pathRanges: words.flatMap((word) => rangesInPath(folded, word)),
  };
}
