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
      if (!terms.every(({ words }) => words.every((word) => compared.includes(word)))) return null;
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

function finderOf({ words: [first = '', ...others], isPrefix }: Term): Finder {
  const separator = '[^\\p{L}\\p{N}\\p{M}]+';
  const end = isPrefix ? `${wordCharacter}*` : `(?!${wordCharacter})`;
  const isWord = others.length === 0 && !isPrefix;
  const rest = new RegExp(others.map((word) => separator + word).join('') + end, 'uy');
  return (text, from) => {
    for (let at = text.indexOf(first, from); at !== -1; at = text.indexOf(first, at + 1)) {
      const next = at + first.length;
      if (isWordBefore(text, at)) continue;
      if (isWord) {
        if (!isWordAt(text, next)) return [at, next];
        continue;
      }
      rest.lastIndex = next;
      if (rest.test(text)) return [at, rest.lastIndex];
    }
    return null;
  };
}

const oneWordCharacter = new RegExp(`^${wordCharacter}$`, 'u');

function isWordAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return isAsciiWord(unit);
  return at < text.length && oneWordCharacter.test(String.fromCodePoint(text.codePointAt(at) as number));
}

function isWordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const unit = text.charCodeAt(at - 1);
  if (unit < 0x80) return isAsciiWord(unit);
  const isLowHalf = unit >= 0xdc00 && unit <= 0xdfff && at > 1;
  const start = isLowHalf && (text.codePointAt(at - 2) as number) > 0xffff ? at - 2 : at - 1;
  return oneWordCharacter.test(text.slice(start, at));
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
