// Finds the word that was probably meant, for a hint beside an error. Pure.

/** More different words are no hint. */
const distanceMax = 2;

/** The candidates that differ least from the word: inserted, missing, replaced and swapped letters count. Empty: none is similar. */
function similarWords(word: string, candidates: readonly string[]): readonly string[] {
  const distances = candidates.map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }));
  const least = Math.min(...distances.map(({ distance }) => distance));
  return distances
    .filter(({ candidate, distance }) => distance === least && isSimilar(word, candidate, distance))
    .map(({ candidate }) => candidate);
}

/** ` Did you mean add?` or nothing. */
export function suggestionText(word: string, candidates: readonly string[]): string {
  const similar = similarWords(word, candidates);
  return similar.length === 0 ? '' : ` Did you mean ${similar.join(' or ')}?`;
}

function isSimilar(word: string, candidate: string, distance: number): boolean {
  return distance <= distanceMax && distance * 2 <= Math.max(word.length, candidate.length);
}

/** Damerau-Levenshtein, with swaps of neighbours only. */
function distanceOf(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= left.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(left.length, right.length);
}
