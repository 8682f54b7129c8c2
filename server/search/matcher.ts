// What a matcher is: decides whether a text matches a query, where, and how well. What it requires of the index only narrows the files; the
// matcher alone decides.

/** From (included) to (excluded), in UTF-16 units of the text. */
export type Range = readonly [start: number, end: number];

/** Queries for the tables of the index that every match satisfies; null: the table does not narrow the search. */
export interface IndexPlan {
  readonly words: string | null;
  readonly trigrams: string | null;
}

export interface Matcher {
  /** null: no index narrows the search, so files are read one after the other. */
  readonly plan: IndexPlan | null;
  /** What is compared with the query, position by position. */
  compared(text: string, isAscii?: boolean): string;
  /** Of a compared text; null: it does not match. */
  score(compared: string, path: string): number | null;
  /** Of a compared text: in order, without overlaps. */
  ranges(compared: string): Iterable<Range>;
}
