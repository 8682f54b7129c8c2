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
  wordStartMin,
} from './limits.ts';
import { type SearchQuery, SearchQueryError } from './search-query.ts';

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
  const fold: Matcher['compared'] = caseSensitive ? (text) => text : foldWords;
  const terms = termsOf(q, fold);
  const patterns = terms.map((term) => new RegExp(patternOf(term), 'gu'));
  const any = new RegExp(terms.map(patternOf).join('|'), 'gu');
  return {
    plan: { words: indexedTerms(terms), trigrams: null },
    compared: fold,
    score(compared, path) {
      if (!terms.every(({ words }) => words.every((word) => compared.includes(word)))) return null;
      let score = 0;
      for (const pattern of patterns) {
        const count = countOf(compared, pattern);
        if (count === 0) return null;
        score += density(count, compared.length);
      }
      const name = fold(path);
      const named = terms.filter(({ words }) => words.every((word) => name.includes(word))).length;
      return rounded((score + named) / (2 * terms.length));
    },
    *ranges(compared) {
      for (const found of compared.matchAll(any)) yield [found.index, found.index + found[0].length];
    },
  };
}

/** Words with a short beginning are too many to be looked up where other terms narrow the search. */
function indexedTerms(terms: readonly Term[]): string {
  const selective = terms.filter(
    ({ words, isPrefix }) => !isPrefix || (words.at(-1) ?? '').length >= wordStartMin,
  );
  return (selective.length === 0 ? terms : selective).map(indexedTerm).join(' AND ');
}

/** A query for the words of a text. */
function indexedTerm({ words, isPrefix }: Term): string {
  const folded = words.flatMap((word) => foldWords(word).match(wordRun) ?? []);
  return `"${folded.join(' ')}"${isPrefix ? ' *' : ''}`;
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
  const fold: Matcher['compared'] = caseSensitive ? (text) => text : foldCase;
  const wanted = fold(q);
  function* ranges(compared: string): Generator<Range, undefined> {
    for (let at = compared.indexOf(wanted); at !== -1; at = compared.indexOf(wanted, at + wanted.length))
      yield [at, at + wanted.length];
  }
  return {
    plan: planOf(q),
    compared: fold,
    score: (compared) => scoreOf(ranges(compared), compared.length),
    ranges,
  };
}

/** What a text that contains `part` satisfies; null: nothing that the index knows. */
function planOf(part: string): IndexPlan | null {
  const plan = { words: wordsWithin(part), trigrams: trigramsOf(part) };
  return plan.words === null && plan.trigrams === null ? null : plan;
}

/** A query for the words of a text, with the words that `part` has as a whole, and the one at its end as a beginning. The word at its start
 * may be the end of a longer one. null: there are none. */
function wordsWithin(part: string): string | null {
  const folded = foldWords(part);
  const runs = [...folded.matchAll(wordRun)].filter(({ index }) => index > 0).slice(0, queryTermsMax);
  const last = runs.at(-1);
  const isOpen = last !== undefined && last.index + last[0].length === folded.length;
  // A short beginning is that of too many words, and one alone says no more than its trigrams.
  if (isOpen && (last[0].length < wordStartMin || runs.length === 1)) {
    runs.pop();
    return runs.length === 0 ? null : indexedTerm({ words: runs.map(([word]) => word), isPrefix: false });
  }
  return runs.length === 0 ? null : indexedTerm({ words: runs.map(([word]) => word), isPrefix: isOpen });
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
  const required = requiredOf(compile(q, 0));
  const linesWith = requiredLines(required);
  function* ranges(text: string): Generator<Range, undefined> {
    for (const [from, end] of linesWith(text)) yield* rangesInLine(expression, lineOf(text, from, end), from);
  }
  return {
    plan: requiredPlan(required),
    compared: (text) => text,
    score: (text) => scoreOf(ranges(text), text.length),
    ranges,
  };
}

function compile(q: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(q, flags);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    // Without the name of the parser, and without the flag that this module adds.
    const shown = cause.replace(/^error parsing regexp: /, '').replace('`(?i)', '`');
    throw new SearchQueryError(`q is not a valid expression: ${shown}`);
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

/** The lines of a text that can have a match: those with the characters that each match contains, without case. The engine takes many times as
 * long for a line. */
function requiredLines(required: Required | null): (text: string) => Generator<Range, undefined> {
  const all = required === null ? [] : textsOf(required);
  const [longest] = all.toSorted((left, right) => right.length - left.length);
  return function* lines(text: string): Generator<Range, undefined> {
    const folded = longest === undefined ? text : foldCase(text);
    for (let from = 0; from <= text.length; ) {
      const at = longest === undefined ? from : folded.indexOf(longest, from);
      if (at === -1) return;
      const start = at === from ? from : Math.max(from, text.lastIndexOf('\n', at - 1) + 1);
      const lineEnd = text.indexOf('\n', at);
      const end = lineEnd === -1 ? text.length : lineEnd;
      const line = all.length < 2 ? '' : folded.slice(start, end);
      if (all.length < 2 || all.every((one) => line.includes(one))) yield [start, end];
      from = end + 1;
    }
  };
}

/** What each match contains, without case: of alternatives nothing. */
function textsOf({ type, str, subs }: Required): readonly string[] {
  if (type === requiredKinds.exact) return str === null || str === '' ? [] : [foldCase(str)];
  return type === requiredKinds.and ? subs.flatMap(textsOf) : [];
}

function requiredOf(expression: RE2JS): Required | null {
  const { prefilter } = expression.re2() as { readonly prefilter?: Required | null };
  return prefilter ?? null;
}

/** null: nothing is required that the index contains. */
function requiredPlan(required: Required | null): IndexPlan | null {
  if (required === null) return null;
  if (required.type === requiredKinds.exact) return required.str === null ? null : planOf(required.str);
  if (required.type !== requiredKinds.and && required.type !== requiredKinds.or) return null;
  const isOr = required.type === requiredKinds.or;
  if (isOr && required.subs.length > alternativesMax) return null;
  const parts = required.subs.map(requiredPlan);
  const words = joined(
    parts.map((part) => part?.words ?? null),
    isOr,
  );
  const trigrams = joined(
    parts.map((part) => part?.trigrams ?? null),
    isOr,
  );
  return words === null && trigrams === null ? null : { words, trigrams };
}

/** An alternative of which nothing is known may be any text. */
function joined(parts: readonly (string | null)[], isOr: boolean): string | null {
  const known = parts.filter((part) => part !== null);
  if (known.length === 0 || (isOr && known.length < parts.length)) return null;
  return known.map((part) => `(${part})`).join(isOr ? ' OR ' : ' AND ');
}
