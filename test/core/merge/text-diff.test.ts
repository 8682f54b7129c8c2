// The difference of two texts applies, and its work is bounded for any texts.
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffTexts } from '../../../server/core/merge/text-diff.ts';

const head = '--- a\n+++ b\n';
const bytesMax = 512 * 1024;

function applied(before: string, after: string): string | false {
  const { hunks } = diffTexts(before, after);
  return hunks === '' ? before : applyPatch(before, head + hunks);
}

/** `count` different lines in another order. */
function shuffled(count: number, step: number): string {
  return Array.from({ length: count }, (_, at) => `line ${(at * step) % count}\n`).join('');
}

describe('the difference of two texts', () => {
  it('shows three common lines around a change, and one hunk for changes with overlapping context', () => {
    const lines = Array.from({ length: 20 }, (_, at) => `${at}\n`);
    const changed = lines.map((line, at) => (at === 4 || at === 11 || at === 19 ? `new ${line}` : line));
    expect(diffTexts(lines.join(''), changed.join('')).hunks).toBe(
      '@@ -2,14 +2,14 @@\n 1\n 2\n 3\n-4\n+new 4\n 5\n 6\n 7\n 8\n 9\n 10\n-11\n+new 11\n 12\n 13\n 14\n' +
        '@@ -17,4 +17,4 @@\n 16\n 17\n 18\n-19\n+new 19\n',
    );
  });

  it('reports a missing line end, and is empty for equal texts', () => {
    expect(diffTexts('a\nb', 'a\nc\n').hunks).toBe(
      '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n',
    );
    expect(diffTexts('a', 'a')).toEqual({ hunks: '', tooDifferent: false });
    expect(diffTexts('', 'a\n').hunks).toBe('@@ -0,0 +1,1 @@\n+a\n');
  });

  it('turns any text into any other', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', 'a longer line', '\r'), { maxLength: 30 })
      .chain((lines) => fc.boolean().map((ended) => lines.join('\n') + (ended ? '\n' : '')));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applied(before, after)).toBe(after);
      }),
    );
  });

  it('of texts without a common line takes no search', () => {
    const before = 'old line\n'.repeat(bytesMax / 9);
    const after = 'new line\n'.repeat(bytesMax / 9);
    const diff = diffTexts(before, after);
    expect(diff.tooDifferent).toBe(false);
    expect(applyPatch(before, head + diff.hunks)).toBe(after);
  });

  it('replaces the whole text if a comparison by lines exceeds the work limit', () => {
    const before = shuffled(30_011, 1);
    const after = `${shuffled(30_011, 7919)}end`;
    const diff = diffTexts(before, after);
    expect(diff.tooDifferent).toBe(true);
    expect(applyPatch(before, head + diff.hunks)).toBe(after);
  });
});
