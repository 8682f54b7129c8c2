// The paths that a search examines, in an order that continues at a position: those in which a fork differs from its workspace, then those
// whose content the index names, newest content first; or, where no index narrows the search, all files in the order of their paths. What
// they contain now is decided by a read of the store.
import { comparePaths } from '../core/paths/path.ts';
import { endOfSubtree, startOfSubtree } from '../store/database/rows.ts';
import type { ReadStatements } from '../store/database/statements.ts';
import type { IndexPlan } from './matcher.ts';
import type { SearchedPlace } from './searched-files.ts';

/** `content` null: a path of the first or only list. The smallest position is before everything. */
export interface CandidatePosition {
  readonly content: number | null;
  readonly path: string;
}

export const firstPosition: CandidatePosition = { content: null, path: '' };

export function isAtOrAfter(position: CandidatePosition, other: CandidatePosition): boolean {
  if ((position.content === null) !== (other.content === null)) return other.content === null;
  if (position.content !== null && other.content !== null && position.content !== other.content)
    return position.content < other.content;
  return comparePaths(position.path, other.path) >= 0;
}

/** Rows of the index that are read at once: few at first, because a page of large files needs no more and each row of a phrase costs. The
 * beginning of a word costs at each read. */
const rowsAtOnce = { first: 32, max: 128 } as const;
const newerThanAny = Number.MAX_SAFE_INTEGER;

interface Row {
  readonly content: number;
  readonly path: string;
}

const inPlace = 'files.workspace = ? AND (files.path = ? OR (files.path > ? AND files.path < ?))';
const ofContent = `SELECT content, path FROM files INDEXED BY files_by_content WHERE content = ? AND ${inPlace} AND path > ?
  ORDER BY path LIMIT ?`;
// The newest contents first. FTS5 gives rows in this order, and what is joined to them is read only until the page has enough.
const contents = {
  words: 'SELECT rowid AS found FROM words WHERE words MATCH ? AND rowid < ?',
  trigrams: 'SELECT rowid AS found FROM trigrams WHERE trigrams MATCH ? AND rowid < ?',
} as const;
// Without its LIMIT the ORDER BY would be left out (https://sqlite.org/optoverview.html#omitorderby).
const filesOf = (matching: string) =>
  `SELECT content, path FROM (${matching} ORDER BY found DESC LIMIT -1) CROSS JOIN files INDEXED BY files_by_content ON files.content = found
     WHERE ${inPlace} LIMIT ?`;
const matchingWords = filesOf(contents.words);
const matchingTrigrams = filesOf(contents.trigrams);
const matchingBoth = filesOf(`${contents.words} INTERSECT ${contents.trigrams}`);

export class IndexedCandidates {
  readonly #index: ReadStatements;
  readonly #plan: IndexPlan;
  readonly #differing: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #place: readonly [number, string, string, string];
  #rowsAtOnce: number;

  /** `differing`: sorted. */
  constructor(index: ReadStatements, plan: IndexPlan, place: SearchedPlace, differing: readonly string[]) {
    this.#index = index;
    this.#plan = plan;
    this.#rowsAtOnce = plan.words?.includes('*') ? rowsAtOnce.max : rowsAtOnce.first;
    this.#differing = differing;
    this.#known = new Set(differing);
    const { workspace, path, pathOnly } = place;
    this.#place = [workspace, path, startOfSubtree(path), pathOnly ? '' : endOfSubtree(path)];
  }

  /** Some positions after this one; none: the end. */
  after(position: CandidatePosition): readonly CandidatePosition[] {
    if (position.content === null) {
      const from = this.#differing.findIndex((path) => comparePaths(path, position.path) > 0);
      if (from !== -1)
        return this.#differing.slice(from, from + rowsAtOnce.max).map((path) => ({ content: null, path }));
    }
    for (let last = position; ; ) {
      const rows = this.#rowsAfter(last);
      const unknown = rows.filter(({ path }) => !this.#known.has(path));
      const end = rows.at(-1);
      if (unknown.length > 0 || end === undefined) return unknown;
      last = end;
    }
  }

  #rowsAfter({ content, path }: CandidatePosition): readonly Row[] {
    const count = this.#rowsAtOnce;
    this.#rowsAtOnce = rowsAtOnce.max;
    if (content !== null) {
      // The rest of the paths with the same content.
      const rest = this.#index.all<Row>(ofContent, content, ...this.#place, path, count);
      if (rest.length > 0) return rest;
    }
    const before = content ?? newerThanAny;
    const { words, trigrams } = this.#plan;
    const isBoth = words !== null && trigrams !== null;
    const rows = this.#index.all<Row>(
      isBoth ? matchingBoth : words === null ? matchingTrigrams : matchingWords,
      ...[words, trigrams].flatMap((match) => (match === null ? [] : [match, before])),
      ...this.#place,
      count,
    );
    return rows.toSorted(
      (left, right) => right.content - left.content || comparePaths(left.path, right.path),
    );
  }
}
