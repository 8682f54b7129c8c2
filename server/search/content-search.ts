// Searches contents. The matching files of a part of the candidates are ranked together; a page shows the best of them, and the cursor
// continues in this part or with the next one. Each file is read again, so an outdated index never shows what is gone.
import type { SearchItem } from '../contract/search.ts';
import { type FileEntry, revisionName } from '../core/entry.ts';
import { comparePaths } from '../core/paths/path.ts';
import { inParts } from '../store/database/read-in-parts.ts';
import type { ReadStatements } from '../store/database/statements.ts';
import { contentRead, fileRead } from '../store/tables/files/files.ts';
import { type CandidatePosition, firstPosition, IndexedCandidates, isAtOrAfter } from './candidates.ts';
import { createFileFilter, type FileFilter } from './file-filter.ts';
import {
  answerCharactersMax,
  forkPathsMax,
  indexedFileBytesMax,
  keptCharactersMax,
  rankedCostBytes,
  rankedFilesMax,
  shortPageCostBytes,
} from './limits.ts';
import type { Matcher } from './matcher.ts';
import { createMatcher } from './matchers.ts';
import { matchingLines } from './matching-lines.ts';
import type { SearchQuery } from './search-query.ts';
import type { SearchWork } from './search-work.ts';
import { differingPaths, type SearchedFiles, type SearchedPlace, searchedFiles } from './searched-files.ts';
import { smallContents } from './texts-together.ts';

export interface SearchDeps {
  readonly store: ReadStatements;
  readonly index: ReadStatements;
  readonly readText: (hash: string) => string | null;
}

/** Candidates after `from` up to `to` are ranked together; null: as far as this request gets. `after`: the last item that was shown. */
export interface ContentPosition {
  readonly from: CandidatePosition;
  readonly to: CandidatePosition | null;
  readonly after: Ranked | null;
}

interface Ranked {
  readonly score: number;
  readonly path: string;
}

export interface FoundPage<Position> {
  readonly items: readonly SearchItem[];
  readonly next: Position | null;
  /** A limit ended the page. */
  readonly isCut: boolean;
}

interface Search {
  readonly deps: SearchDeps;
  readonly query: SearchQuery;
  readonly place: SearchedPlace;
  readonly matcher: Matcher;
  readonly filter: FileFilter;
  readonly work: SearchWork;
  readonly texts: KeptTexts;
}

interface Part {
  readonly ranked: Ranked[];
  /** The last candidate. */
  readonly to: CandidatePosition;
  readonly isLast: boolean;
  readonly isCut: boolean;
}

export async function searchContents(
  deps: SearchDeps,
  query: SearchQuery,
  place: SearchedPlace,
  position: ContentPosition | undefined,
  work: SearchWork,
): Promise<FoundPage<ContentPosition>> {
  const matcher = createMatcher(query);
  const filter = createFileFilter(query);
  const texts = new KeptTexts(deps.readText, matcher);
  const search: Search = { deps, query, place, matcher, filter, work, texts };
  const from = position?.from ?? firstPosition;
  const after = position?.after ?? null;
  const differing = differingPaths(deps.store, place, forkPathsMax);
  const part =
    matcher.plan === null
      ? await readInOrder(search, from, position?.to ?? null)
      : await readCandidates(
          search,
          new IndexedCandidates(deps.index, matcher.plan, place, differing.slice(0, forkPathsMax)),
          from,
          position?.to ?? null,
        );
  const wanted = part.ranked
    .toSorted(byRank)
    .filter((ranked) => after === null || byRank(ranked, after) > 0)
    .slice(0, query.limit + 1);
  const { items, last } = await itemsOf(search, wanted);
  const isWhole = last === null || last === wanted.at(-1);
  const next: ContentPosition | null =
    !isWhole && last !== null
      ? { from, to: part.to, after: last }
      : part.isLast
        ? null
        : { from: part.to, to: null, after: null };
  return { items, next, isCut: part.isCut || differing.length > forkPathsMax };
}

function byRank(left: Ranked, right: Ranked): number {
  return right.score - left.score || comparePaths(left.path, right.path);
}

async function readCandidates(
  search: Search,
  candidates: IndexedCandidates,
  from: CandidatePosition,
  to: CandidatePosition | null,
): Promise<Part> {
  const ranked: Ranked[] = [];
  let at = from;
  for (;;) {
    const batch = candidates.after(at);
    if (batch.length === 0) return { ranked, to: at, isLast: true, isCut: false };
    let taken = 0;
    while (taken < batch.length) {
      const end = inSlice(search, (files) => {
        while (taken < batch.length && !search.work.isSliceOver) {
          const together = batch.slice(taken, taken + search.deps.store.readsTogether);
          const end = withFiles(search, files, together, (fileAt) => {
            for (const candidate of together) {
              if (to !== null && !isAtOrAfter(to, candidate)) return 'to';
              taken += 1;
              at = candidate;
              const file = fileAt(candidate.path);
              if (file !== null) examine(search, file, ranked);
              if (isPartOver(search, ranked, to)) return 'part';
              if (search.work.isSliceOver) return null;
            }
            return null;
          });
          if (end !== null) return end;
        }
        return search.work.isAtLimit ? 'limit' : null;
      });
      if (end !== null) return { ranked, to: at, isLast: false, isCut: end === 'limit' };
      await search.work.rest();
    }
  }
}

/** Without an index: all files that the caller may read. */
async function readInOrder(
  search: Search,
  from: CandidatePosition,
  to: CandidatePosition | null,
): Promise<Part> {
  const ranked: Ranked[] = [];
  let at = from;
  for (;;) {
    const end = inSlice(search, (files) => {
      for (const together of inParts(files.after(at.path), search.deps.store.readsTogether)) {
        const end = withTexts(search, together, () => {
          for (const file of together) {
            const candidate: CandidatePosition = { content: null, path: file.path };
            if (to !== null && !isAtOrAfter(to, candidate)) return 'to';
            at = candidate;
            if (search.filter.path(file.path)) examine(search, file, ranked);
            if (isPartOver(search, ranked, to)) return 'part';
            if (search.work.isAtLimit) return 'limit';
            if (search.work.isSliceOver) return 'slice';
          }
          return null;
        });
        if (end === 'slice') return null;
        if (end !== null) return end;
      }
      return 'last';
    });
    if (end !== null) return { ranked, to: at, isLast: end === 'last', isCut: end === 'limit' };
    await search.work.rest();
  }
}

/** A part that was ranked before is read up to its end. */
function isPartOver(
  { query, work }: Search,
  ranked: readonly Ranked[],
  to: CandidatePosition | null,
): boolean {
  if (to !== null) return false;
  if (ranked.length === 0) return false;
  const isPageFull = ranked.length >= query.limit;
  return ranked.length >= rankedFilesMax || work.cost > (isPageFull ? rankedCostBytes : shortPageCostBytes);
}

/** All reads of a slice see one state of the store. A fork that is gone meanwhile has no files. */
function inSlice<Result>({ deps, place }: Search, read: (files: SearchedFiles) => Result): Result | 'last' {
  return deps.store.consistently(() => {
    const files = searchedFiles(deps.store, place);
    return files === null ? 'last' : read(files);
  });
}

/** Calls `use` with the files at these paths that the query does not exclude, which are read together with their texts. */
function withFiles<Result>(
  search: Search,
  files: SearchedFiles,
  candidates: readonly Pick<Ranked, 'path'>[],
  use: (fileAt: (path: string) => FileEntry | null) => Result,
): Result {
  const { deps, place, filter, work } = search;
  const fileAt = (path: string) => (filter.path(path) ? files.file(path) : null);
  if (candidates.length === 1) return use(fileAt);
  const asked = candidates.filter(({ path }) => place.forkId === null && filter.path(path));
  const begunMs = performance.now();
  const found = deps.store.together(
    asked.map(({ path }) => fileRead(place.workspace, path)),
    () => new Map(candidates.map(({ path }) => [path, fileAt(path)] as const)),
  );
  work.waited(performance.now() - begunMs);
  return withTexts(
    search,
    [...found.values()].filter((file) => file !== null),
    () => use((path) => found.get(path) ?? null),
  );
}

/** Calls `use`, which reads the texts of these files: those of small ones are read together. */
function withTexts<Result>(
  { deps, filter, texts, work }: Search,
  files: readonly FileEntry[],
  use: () => Result,
): Result {
  if (files.length < 2) return use();
  const contents = smallContents(files.filter((file) => filter.file(file) && !texts.has(file)));
  const begunMs = performance.now();
  return deps.store.together(contents.map(contentRead), () => {
    work.waited(performance.now() - begunMs);
    return use();
  });
}

function examine({ filter, matcher, work, texts }: Search, file: FileEntry, ranked: Ranked[]): void {
  if (!filter.file(file)) return;
  work.examined(file.sizeBytes);
  const text = texts.of(file);
  const score = text === null ? null : matcher.score(text.compared, file.path);
  if (score === null) return;
  ranked.push({ score, path: file.path });
  if (text !== null) texts.keep(file, { ...text, scored: { score, path: file.path } });
}

interface ReadText {
  readonly text: string;
  readonly compared: string;
  /** Of the file for which it was read first; null: not yet. */
  readonly scored: Ranked | null;
}

/** Texts of contents. A request reads those again that it shows, because another file may be there; the text of a content stays. */
class KeptTexts {
  readonly #readText: (hash: string) => string | null;
  readonly #matcher: Matcher;
  readonly #kept = new Map<string, ReadText>();
  #characters = 0;

  constructor(readText: (hash: string) => string | null, matcher: Matcher) {
    this.#readText = readText;
    this.#matcher = matcher;
  }

  has({ hash }: FileEntry): boolean {
    return this.#kept.has(hash);
  }

  /** null: found by name only. */
  of({ hash, sizeBytes }: FileEntry): ReadText | null {
    if (sizeBytes > indexedFileBytesMax) return null;
    const kept = this.#kept.get(hash);
    if (kept !== undefined) return kept;
    const text = this.#readText(hash);
    // UTF-8 has more bytes than characters where one is not ASCII.
    if (text === null) return null;
    return { text, compared: this.#matcher.compared(text, text.length === sizeBytes), scored: null };
  }

  keep({ hash }: FileEntry, text: ReadText): void {
    if (this.#kept.has(hash) || this.#characters > keptCharactersMax) return;
    this.#kept.set(hash, text);
    this.#characters += text.text.length + text.compared.length;
  }
}

/** The lines of the files, read again: one may be gone. `last`: the last one that was read; null: none. */
async function itemsOf(
  search: Search,
  wanted: readonly Ranked[],
): Promise<{ readonly items: readonly SearchItem[]; readonly last: Ranked | null }> {
  const { query, work } = search;
  const items: SearchItem[] = [];
  let last: Ranked | null = null;
  let characters = 0;
  let taken = 0;
  // One more than the page shows that there are more.
  const shown = wanted.length > query.limit ? wanted.slice(0, query.limit) : wanted;
  while (taken < shown.length && characters < answerCharactersMax) {
    const end = inSlice(search, (files) => {
      while (taken < shown.length && characters < answerCharactersMax && !work.isSliceOver) {
        const together = shown.slice(taken, taken + search.deps.store.readsTogether);
        withFiles(search, files, together, (fileAt) => {
          for (const ranked of together) {
            taken += 1;
            last = ranked;
            const file = fileAt(ranked.path);
            const item = file === null ? null : itemOf(search, file);
            if (item !== null) {
              items.push(item);
              characters += JSON.stringify(item).length;
            }
            if (characters >= answerCharactersMax || work.isSliceOver) return;
          }
        });
      }
      return null;
    });
    if (end !== null) break;
    await work.rest();
  }
  return {
    items,
    last: shown.length < wanted.length || taken < shown.length ? last : (wanted.at(-1) ?? null),
  };
}

function itemOf({ matcher, query, texts }: Search, file: FileEntry): SearchItem | null {
  const read = texts.of(file);
  if (read === null) return null;
  // The score of a text and a path is always the same.
  const { scored } = read;
  const score = scored?.path === file.path ? scored.score : matcher.score(read.compared, file.path);
  if (score === null) return null;
  const { matches, isCut } = matchingLines(read.text, matcher.ranges(read.compared), query.context);
  const { path, contentType } = file;
  return { path, revision: revisionName(file), contentType, score, matches, moreMatches: isCut };
}
