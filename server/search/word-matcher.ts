// Matches of words and phrases. A word is looked for as a string, and its neighbours are checked where it is found: a pattern that describes both
// would be tried at each character of the text.
import { foldWords, wordCharacter } from './fold.ts';
import { indexedTerms, type Term, wordRun } from './index-plan.ts';
import { queryTermsMax, scoredMatchesMax } from './limits.ts';
import type { Matcher, Range } from './matcher.ts';
import { density, rounded } from './score.ts';
import { SearchQueryError } from './search-query.ts';

/** Throws a SearchQueryError. */
export function wordsMatcher(q: string, caseSensitive: boolean): Matcher {
  const fold: Matcher['compared'] = caseSensitive ? (text) => text : foldWords;
  const terms = termsOf(q, fold);
  const finders = terms.map(finderOf);
  return {
    plan: { words: indexedTerms(terms), trigrams: null },
    compared: fold,
    score(compared, path) {
      let score = 0;
      for (const find of finders) {
        const count = countOf(compared, find);
        if (count === 0) return null;
        score += density(count, compared.length);
      }
      const name = fold(path);
      const named = terms.filter(({ words }) => words.every((word) => name.includes(word))).length;
      return rounded((score + named) / (2 * terms.length));
    },
    ranges: (compared) => rangesOfAll(compared, finders),
  };
}

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

/** The first match at or after a position; null: none. */
type Finder = (text: string, from: number) => Range | null;

/** Looks for the longest word of a phrase, which is in the fewest places, and compares the others from there. */
function finderOf({ words, isPrefix }: Term): Finder {
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  const before = words.slice(0, words.indexOf(longest)).reverse();
  const after = words.slice(before.length + 1);
  return (text, from) => {
    for (let at = text.indexOf(longest, from); at !== -1; at = text.indexOf(longest, at + 1)) {
      const start = startOf(text, at, before);
      if (start < from) continue;
      const end = endOf(text, at + longest.length, after, isPrefix);
      if (end !== -1) return [start, end];
    }
    return null;
  };
}

/** Of the words (from the last to the first) that end before a position, as whole words; -1: others are there. */
function startOf(text: string, position: number, words: readonly string[]): number {
  let at = position;
  for (const word of words) {
    const end = wordEndBefore(text, at);
    if (end === at || !text.endsWith(word, end)) return -1;
    at = end - word.length;
  }
  return isWordBefore(text, at) ? -1 : at;
}

/** Of the words that begin after a position; -1: others are there. `isPrefix`: the last one may continue. */
function endOf(text: string, position: number, words: readonly string[], isPrefix: boolean): number {
  let at = position;
  for (const word of words) {
    const start = wordStartAfter(text, at);
    if (start === at || !text.startsWith(word, start)) return -1;
    at = start + word.length;
  }
  if (!isPrefix) return isWordAt(text, at) ? -1 : at;
  while (isWordAt(text, at)) at += unitsAt(text, at);
  return at;
}

function wordEndBefore(text: string, position: number): number {
  let at = position;
  while (at > 0 && !isWordBefore(text, at)) at -= unitsBefore(text, at);
  return at;
}

function wordStartAfter(text: string, position: number): number {
  let at = position;
  while (at < text.length && !isWordAt(text, at)) at += unitsAt(text, at);
  return at;
}

const oneWordCharacter = new RegExp(`^${wordCharacter}$`, 'u');

function isWordAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return isAsciiWord(unit);
  return at < text.length && oneWordCharacter.test(text.slice(at, at + unitsAt(text, at)));
}

function isWordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const unit = text.charCodeAt(at - 1);
  if (unit < 0x80) return isAsciiWord(unit);
  return oneWordCharacter.test(text.slice(at - unitsBefore(text, at), at));
}

/** Of the character at a position: 2 for a surrogate pair. */
function unitsAt(text: string, at: number): number {
  return isPair(text, at) ? 2 : 1;
}

function unitsBefore(text: string, at: number): number {
  return isPair(text, at - 2) ? 2 : 1;
}

function isPair(text: string, at: number): boolean {
  return at >= 0 && (text.codePointAt(at) ?? 0) > 0xffff;
}

function isAsciiWord(unit: number): boolean {
  const letter = unit | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function countOf(text: string, find: Finder): number {
  let count = 0;
  for (let at = 0; count < scoredMatchesMax; count += 1) {
    const found = find(text, at);
    if (found === null) break;
    at = found[1];
  }
  return count;
}

/** Of several terms in order: of two that begin at the same place, the one that the query names first. */
function* rangesOfAll(text: string, finders: readonly Finder[]): Generator<Range, undefined> {
  const next = finders.map((find) => find(text, 0));
  for (;;) {
    let first: Range | null = null;
    for (const found of next) if (found !== null && (first === null || found[0] < first[0])) first = found;
    if (first === null) return;
    yield first;
    const [, end] = first;
    for (const [index, find] of finders.entries()) {
      const found = next[index] ?? null;
      if (found !== null && found[0] < end) next[index] = find(text, end);
    }
  }
}
