// The UI and the API give the same verdict on two edits of one text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergedText, threeWayComparison } from '../../../../renderer/model/text/conflict-rows.ts';
import { mergeLines } from '../../../../server/core/merge/three-way-merge.ts';

const compare = (base: string, mine: string, theirs: string) => {
  const comparison = threeWayComparison(base, mine, theirs);
  return {
    kinds: comparison.hunks.map(({ kind }) => kind),
    merged: mergedText(comparison, new Map()),
    comparison,
  };
};

describe('two edits of one text', () => {
  it('merge if they do not touch', () => {
    const { kinds, merged } = compare('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\nf\n', 'a\nb\nC\nd\ne\n');
    expect(kinds).toEqual(['mine', 'same', 'theirs', 'same', 'mine']);
    expect(merged).toEqual({ text: 'A\nb\nC\nd\ne\nf\n', undecided: 0 });
  });

  it('need a decision if they touch, but not where both made the same change', () => {
    const { kinds, merged } = compare('a\nb\nc\n', 'a\nmine\nc\nend\n', 'a\ntheirs\nc\nend\n');
    expect(kinds).toEqual(['same', 'clash', 'same', 'both']);
    expect(merged?.undecided).toBe(1);
  });

  it('are shown as two texts if they are too different to merge', () => {
    const text = (word: string) => Array.from({ length: 2000 }, (_, n) => `${word} ${n}\n`).join('');
    const { kinds, merged, comparison } = compare(text('base'), text('mine'), text('base'));
    expect(comparison.notMergeable).toBe('too_different');
    expect(kinds).toEqual(['clash']);
    expect(merged).toBeNull();
  });

  it('have the same verdict and the same merged text as in the API', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n');
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const api = mergeLines(base, mine, theirs);
        const { merged } = compare(base, mine, theirs);
        expect(merged?.text ?? null).toBe(api.kind === 'clean' ? api.text : null);
        expect(merged?.undecided ?? null).toBe(
          api.kind === 'too_different' ? null : api.kind === 'clean' ? 0 : api.conflicts.length,
        );
      }),
      { numRuns: 2000 },
    );
  });
});
