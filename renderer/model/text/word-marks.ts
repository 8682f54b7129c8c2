// The changed words of a diff: each removed line is compared with the added line that replaces it. Pure.
import { changedWords } from '../../../server/core/merge/word-diff.ts';
import type { TextRange } from './text-parts.ts';
import { type DiffLine, runLength } from './unified-diff.ts';

/** Further pairs are marked as lines only. */
const pairsMax = 2_000;

/** By the index of the line. */
export function wordMarks(lines: readonly DiffLine[]): ReadonlyMap<number, readonly TextRange[]> {
  const marks = new Map<number, readonly TextRange[]>();
  let pairs = 0;
  for (let index = 0; index < lines.length && pairs < pairsMax; ) {
    const removed = runLength(lines, index, 'removed');
    const added = runLength(lines, index + removed, 'added');
    for (let pair = 0; pair < Math.min(removed, added) && pairs < pairsMax; pair += 1) {
      const before = index + pair;
      const after = index + removed + pair;
      const words = changedWords(lines[before]?.text ?? '', lines[after]?.text ?? '');
      pairs += 1;
      if (words === null) continue;
      marks.set(before, words.before);
      marks.set(after, words.after);
    }
    index += Math.max(1, removed + added);
  }
  return marks;
}
