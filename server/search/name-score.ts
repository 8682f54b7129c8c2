// How well a path matches the words of a search of names: whole names before parts, names before directories, words in one piece before
// words with other characters in between. Of folded paths. Pure.

/** All words are in one piece. null: one is not. */
export function scoreInOnePiece(path: string, words: readonly string[]): number | null {
  const nameStart = path.lastIndexOf('/') + 1;
  let quality = 0;
  for (const word of words) {
    const of = qualityInOnePiece(path, nameStart, word);
    if (of === null) return null;
    quality += of;
  }
  return scoreOf(quality / words.length, path.length);
}

/** The same where at least one word has other characters in between: less than any path with all words in one piece. */
export function scoreInPieces(path: string, words: readonly string[]): number | null {
  const nameStart = path.lastIndexOf('/') + 1;
  let quality = 0;
  for (const word of words) {
    if (hasPieces(path, nameStart, word)) quality += 0.3;
    else if (hasPieces(path, 0, word)) quality += 0.1;
    else return null;
  }
  return scoreOf(quality / words.length, path.length);
}

/** No path of this length whose name does not begin with one of these words has a higher score. */
export function scoreMaxWithin(words: number, pathLength: number): number {
  return scoreOf((words - 1 + 0.8) / words, pathLength);
}

/** No path of this length has a higher score where a word has other characters in between. */
export function scoreMaxInPieces(pathLength: number): number {
  return scoreOf(0.3, pathLength);
}

/** Below every score of words in one piece, above every other one. */
export const onePieceScoreMin = 0.4;

function scoreOf(quality: number, pathLength: number): number {
  const brevity = 1 / (1 + pathLength / 100);
  return Math.round((0.9 * quality + 0.1 * brevity) * 10_000) / 10_000;
}

function qualityInOnePiece(path: string, nameStart: number, word: string): number | null {
  const at = path.indexOf(word, nameStart);
  if (at === -1) return path.includes(word) ? 0.5 : null;
  if (at === nameStart) return path.length - nameStart === word.length ? 1 : 0.9;
  return isAfterBreak(path, word, at) ? 0.8 : 0.7;
}

const partOfWord = /[\p{L}\p{N}]/u;

/** Does it occur, there or later, at the beginning of a word? */
function isAfterBreak(path: string, word: string, first: number): boolean {
  for (let at = first; at !== -1; at = path.indexOf(word, at + 1))
    if (!partOfWord.test(path[at - 1] ?? '')) return true;
  return false;
}

function hasPieces(path: string, start: number, word: string): boolean {
  let from = start;
  for (const character of word) {
    const at = path.indexOf(character, from);
    if (at === -1) return false;
    from = at + character.length;
  }
  return true;
}

/** Positions of the word's characters in their order; null: one is missing. */
function piecesFrom(path: string, start: number, word: string): readonly number[] | null {
  const positions: number[] = [];
  let from = start;
  for (const character of word) {
    const at = path.indexOf(character, from);
    if (at === -1) return null;
    positions.push(at);
    from = at + character.length;
  }
  return positions;
}

/** What of a path a word has matched. */
export function rangesInPath(path: string, word: string): { start: number; end: number }[] {
  const nameStart = path.lastIndexOf('/') + 1;
  const inName = path.indexOf(word, nameStart);
  const whole = inName === -1 ? path.indexOf(word) : inName;
  if (whole !== -1) return [{ start: whole, end: whole + word.length }];
  const pieces = piecesFrom(path, nameStart, word) ?? piecesFrom(path, 0, word) ?? [];
  return pieces.map((at) => ({ start: at, end: at + 1 }));
}
