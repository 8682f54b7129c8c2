// Decides whether a text matches a query, where, and how well: words, substrings, regular expressions. What a matcher requires of the
// index only narrows the files; the matcher alone decides. The score depends on the text alone, never on other files.
import { RE2JS } from 're2js';
import { foldCase, foldWords, wordCharacter } from './fold.ts';
import {
  lineRangesMax,
  queryTermsMax,
  regexLineCharactersMax,
  regexProgramMax,
  scoredMatchesMax,
  trigramsMax,
} from './limits.ts';
import { type SearchQuery, SearchQueryError } from './search-query.ts';

/** From (included) to (excluded), in UTF-16 units of the text. */
export type Range = readonly [start: number, end: number];

/** A table of the index and a query for it that every match satisfies. */
export interface IndexPlan {
  readonly table: 'words' | 'trigrams';
  readonly match: string;
}

export interface Matcher {
  /** null: no index narrows the search, so files are read one after the other. */
  readonly plan: IndexPlan | null;
  /** null: the text does not match. */
  score(text: string, path: string): number | null;
  /** In order, without overlaps. */
  ranges(text: string): Iterable<Range>;
}

export function createMatcher({ q, mode, caseSensitive }: Pick<SearchQuery, 'q' | 'mode' | 'caseSensitive'>) {
  if (mode === 'text') return wordsMatcher(q, caseSensitive);
  if (/[\n\r]/.test(q)) throw new SearchQueryError('q contains a line break: matches are within one line');
  return mode === 'literal' ? literalMatcher(q, caseSensitive) : regexMatcher(q, caseSensitive);
}

// ---- words

interface Term {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

const wordRun = new RegExp(`${wordCharacter}+`, 'gu');

/** `"..."` is a phrase, `word*` the beginning of a word. */
function termsOf(q: string, fold: (text: string) => string): readonly Term[] {
  const terms: Term[] = [];
  for (const [, phrase, single = ''] of q.matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const words = fold(phrase ?? single).match(wordRun) ?? [];
    if (words.length > 0) terms.push({ words, isPrefix: phrase === undefined && single.endsWith('*') });
  }
  if (terms.length === 0)
    throw new SearchQueryError('q contains no word: search for other characters with mode=literal');
  if (terms.length > queryTermsMax)
    throw new SearchQueryError(`q has more than ${queryTermsMax} words and phrases: use fewer`);
  return terms;
}

function patternOf({ words, isPrefix }: Term): string {
  const end = isPrefix ? `${wordCharacter}*` : `(?!${wordCharacter})`;
  return `(?<!${wordCharacter})${words.join(`[^\\p{L}\\p{N}\\p{M}]+`)}${end}`;
}

function wordsMatcher(q: string, caseSensitive: boolean): Matcher {
  const fold = caseSensitive ? (text: string) => text : foldWords;
  const terms = termsOf(q, fold);
  const patterns = terms.map((term) => new RegExp(patternOf(term), 'gu'));
  const any = new RegExp(terms.map(patternOf).join('|'), 'gu');
  const indexed = terms.map(({ words, isPrefix }) =>
    words
      .flatMap((word) => foldWords(word).match(wordRun) ?? [])
      .map((word, index, all) => `"${word}"${isPrefix && index === all.length - 1 ? ' *' : ''}`)
      .join(' AND '),
  );
  return {
    plan: { table: 'words', match: indexed.join(' AND ') },
    score(text, path) {
      const folded = fold(text);
      if (!terms.every(({ words }) => words.every((word) => folded.includes(word)))) return null;
      let score = 0;
      for (const pattern of patterns) {
        const count = countOf(folded, pattern);
        if (count === 0) return null;
        score += density(count, text.length);
      }
      const name = fold(path);
      const named = terms.filter(({ words }) => words.every((word) => name.includes(word))).length;
      return rounded((score + named) / (2 * terms.length));
    },
    *ranges(text) {
      for (const found of fold(text).matchAll(any)) yield [found.index, found.index + found[0].length];
    },
  };
}

function countOf(text: string, pattern: RegExp): number {
  pattern.lastIndex = 0;
  let count = 0;
  while (count < scoredMatchesMax && pattern.exec(text) !== null) count += 1;
  return count;
}

/** Occurrences in relation to the length of the text, from 0 to 1 (https://en.wikipedia.org/wiki/Okapi_BM25, without the rareness of a
 * word in other files, which would show what the caller may not read). */
function density(count: number, characters: number): number {
  const lengthShare = characters / typicalCharacters;
  return count / (count + 1.2 * (0.25 + 0.75 * Math.min(lengthShare, 10)));
}

const typicalCharacters = 8_000;

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

// ---- substrings

function literalMatcher(q: string, caseSensitive: boolean): Matcher {
  const fold = caseSensitive ? (text: string) => text : foldCase;
  const wanted = fold(q);
  function* ranges(text: string): Generator<Range, undefined> {
    const folded = fold(text);
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length))
      yield [at, at + wanted.length];
  }
  const trigrams = trigramsOf(q);
  return {
    plan: trigrams === null ? null : { table: 'trigrams', match: trigrams },
    score: (text) => scoreOf(ranges(text), text.length),
    ranges,
  };
}

/** Of the ranges that were found; null: none. */
function scoreOf(ranges: Iterable<Range>, characters: number): number | null {
  let count = 0;
  for (const _ of ranges) {
    count += 1;
    if (count === scoredMatchesMax) break;
  }
  return count === 0 ? null : rounded(density(count, characters));
}

/** A query for the trigrams of a text, without case; null: it has fewer than three characters. */
function trigramsOf(text: string): string | null {
  const characters = [...foldCase(text)];
  const count = characters.length - 2;
  if (count < 1) return null;
  const wanted = new Set<string>();
  // Spread over the text, its end included.
  for (let index = 0; index < Math.min(count, trigramsMax); index += 1) {
    const at = count <= trigramsMax ? index : Math.round((index * (count - 1)) / (trigramsMax - 1));
    wanted.add(
      `"${characters
        .slice(at, at + 3)
        .join('')
        .replaceAll('"', '""')}"`,
    );
  }
  return [...wanted].join(' AND ');
}

// ---- regular expressions

/** What a match of an expression contains, as the engine derives it for itself. */
interface Required {
  readonly type: number;
  readonly str: string | null;
  readonly subs: readonly Required[];
}

/** The engine's numbers of the kinds (test/search/matchers.test.ts). */
const requiredKinds = { exact: 1, and: 2, or: 3 } as const;
/** Alternatives of an expression that are looked up. */
const alternativesMax = 32;

function regexMatcher(q: string, caseSensitive: boolean): Matcher {
  const expression = compile(q, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  if (expression.programSize() > regexProgramMax)
    throw new SearchQueryError('q is too complex for an expression: use smaller repeat counts');
  const match = requiredTrigrams(requiredOf(compile(q, 0)));
  function* ranges(text: string): Generator<Range, undefined> {
    let from = 0;
    while (from <= text.length) {
      const lineEnd = text.indexOf('\n', from);
      const end = lineEnd === -1 ? text.length : lineEnd;
      yield* rangesInLine(expression, lineOf(text, from, end), from);
      from = end + 1;
    }
  }
  return {
    plan: match === null ? null : { table: 'trigrams', match },
    score: (text) => scoreOf(ranges(text), text.length),
    ranges,
  };
}

function compile(q: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(q, flags);
  } catch (error) {
    throw new SearchQueryError(
      `q is not a valid expression: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function lineOf(text: string, from: number, end: number): string {
  const last = text.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end;
  return text.slice(from, Math.min(last, from + regexLineCharactersMax));
}

function* rangesInLine(expression: RE2JS, line: string, offset: number): Generator<Range, undefined> {
  if (!expression.test(line)) return;
  const matcher = expression.matcher(line);
  // Each of them may read the rest of the line.
  for (let found = 0; found < lineRangesMax && matcher.find(); found += 1) {
    const start = matcher.start();
    const end = matcher.end();
    yield [offset + start, offset + end];
  }
}

function requiredOf(expression: RE2JS): Required | null {
  const { prefilter } = expression.re2() as { readonly prefilter?: Required | null };
  return prefilter ?? null;
}

/** null: nothing is required that the index contains. */
function requiredTrigrams(required: Required | null): string | null {
  if (required === null) return null;
  if (required.type === requiredKinds.exact) return required.str === null ? null : trigramsOf(required.str);
  if (required.type !== requiredKinds.and && required.type !== requiredKinds.or) return null;
  const parts = required.subs.map(requiredTrigrams);
  if (required.type === requiredKinds.and) {
    const known = parts.filter((part) => part !== null);
    return known.length === 0 ? null : known.map((part) => `(${part})`).join(' AND ');
  }
  if (parts.length === 0 || parts.length > alternativesMax || parts.includes(null)) return null;
  return parts.map((part) => `(${part})`).join(' OR ');
}
