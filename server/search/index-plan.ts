// Queries for the full-text tables of the index that every match satisfies: they narrow the files that a matcher reads. Pure.
import { foldCase, foldWords, wordCharacter } from './fold.ts';
import { queryTermsMax, trigramsMax, wordStartMin } from './limits.ts';
import type { IndexPlan } from './matcher.ts';

/** A word, or several in a row. */
export interface Term {
  readonly words: readonly string[];
  /** The last word is the beginning of one. */
  readonly isPrefix: boolean;
}

export const wordRun = new RegExp(`${wordCharacter}+`, 'gu');

/** Words with a short beginning are too many to be looked up where other terms narrow the search. */
export function indexedTerms(terms: readonly Term[]): string {
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

/** What a text that contains `part` satisfies; null: nothing that the index knows. */
export function planOf(part: string): IndexPlan | null {
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
