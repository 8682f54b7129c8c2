// The matcher of a query: words, a substring, a regular expression.
import { foldCase } from './fold.ts';
import { planOf } from './index-plan.ts';
import type { Matcher, Range } from './matcher.ts';
import { regexMatcher } from './regex-matcher.ts';
import { scoreOf } from './score.ts';
import { type SearchQuery, SearchQueryError } from './search-query.ts';
import { wordsMatcher } from './word-matcher.ts';

/** Throws a SearchQueryError. */
export function createMatcher({ q, mode, caseSensitive }: Pick<SearchQuery, 'q' | 'mode' | 'caseSensitive'>) {
  if (mode === 'text') return wordsMatcher(q, caseSensitive);
  if (/[\n\r]/.test(q)) throw new SearchQueryError('q contains a line break: matches are within one line');
  return mode === 'literal' ? literalMatcher(q, caseSensitive) : regexMatcher(q, caseSensitive);
}

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
