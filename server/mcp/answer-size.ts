// Keeps an answer within its number of characters: whole entries, whole characters.
import { answerCharactersDefault, answerCharactersMax } from './limits.ts';

export function budgetOf(maxCharacters: number | undefined): number {
  return Math.min(maxCharacters ?? answerCharactersDefault, answerCharactersMax);
}

/** The first entries whose JSON fits, at least one. */
export function fitting<Entry>(entries: readonly Entry[], charactersMax: number): readonly Entry[] {
  let characters = 0;
  for (const [index, entry] of entries.entries()) {
    characters += JSON.stringify(entry).length + 1;
    if (characters > charactersMax && index > 0) return entries.slice(0, index);
  }
  return entries;
}
