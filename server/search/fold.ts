// Folds text for comparisons: without case for substrings and expressions, and without case and diacritics for words. Position by
// position, so that a range in folded text is the same range in the text. Pure.

const ascii = /^[\0-\x7f]*$/;
const beyondAscii = /[\u0080-\uffff]/g;

/** Two characters are equal here if Unicode's simple case folding makes them equal. */
export function foldCase(text: string, isAscii = ascii.test(text)): string {
  return fold(text, isAscii, caselessUnit);
}

/** The same, and letters lose their diacritics. */
export function foldWords(text: string, isAscii = ascii.test(text)): string {
  return fold(text, isAscii, plainUnit);
}

function fold(text: string, isAscii: boolean, foldUnit: (unit: string) => string): string {
  if (isAscii) return text.toLowerCase();
  const folded = text.replace(beyondAscii, foldUnit).toLowerCase();
  return folded.length === text.length ? folded : foldEach(text, foldUnit);
}

/** For a character whose lower case is longer. */
function foldEach(text: string, foldUnit: (unit: string) => string): string {
  let folded = '';
  for (const character of text) {
    const lower = (character.length === 1 ? foldUnit(character) : character).toLowerCase();
    folded += lower.length === character.length ? lower : character;
  }
  return folded;
}

const caseless = new Map<string, string>();
const plain = new Map<string, string>();

function caselessUnit(unit: string): string {
  let folded = caseless.get(unit);
  if (folded === undefined) {
    // Through the capital, so that all forms of a letter (σ and ς) become one.
    const capital = unit.toUpperCase();
    const lower = (capital.length === 1 ? capital : unit).toLowerCase();
    folded = lower.length === 1 ? lower : (lower[0] ?? unit);
    caseless.set(unit, folded);
  }
  return folded;
}

function plainUnit(unit: string): string {
  let folded = plain.get(unit);
  if (folded === undefined) {
    const [base = unit, ...marks] = [...unit.normalize('NFD')];
    const isMarked = base.length === 1 && marks.length > 0 && marks.every((mark) => /\p{M}/u.test(mark));
    folded = isMarked ? caselessUnit(base) : caselessUnit(unit);
    plain.set(unit, folded);
  }
  return folded;
}

/** The words of a text, for the index: its tokenizer separates words at ASCII characters other than letters and digits. */
export function indexedWords(text: string): string {
  const folded = foldWords(text);
  return ascii.test(folded) ? folded : folded.replace(/[^\0-\x7f\p{L}\p{N}\p{M}]/gu, ' ');
}

/** A character of a word. */
export const wordCharacter = '[\\p{L}\\p{N}\\p{M}]';
