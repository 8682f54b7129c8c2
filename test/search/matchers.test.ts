import { describe, expect, it } from 'vitest';
import { foldCase, foldWords } from '../../server/search/fold.ts';
import { createMatcher } from '../../server/search/matchers.ts';
import { matchingLines } from '../../server/search/matching-lines.ts';

describe('what a matcher requires of the index', () => {
  it.each([
    ['literal', 'foobar', '"foo" AND "oob" AND "oba" AND "bar"'],
    ['literal', 'fo', undefined],
    ['literal', 'Ä"b', '"ä""b"'],
    // The engine derives these; another version may do so in another way (requiredKinds).
    ['regex', 'foob.*qux', '("foo" AND "oob") AND ("qux")'],
    ['regex', '(foo|barn)x?', '("foo") OR ("bar" AND "arn")'],
    ['regex', 'fo+|x', undefined],
    ['regex', '[a-z]+', undefined],
    ['regex', '(?i)foo', undefined],
    ['text', 'one "two three" fo*', '"one" AND "two" AND "three" AND "fo" *'],
  ] as const)('%s %s', (mode, q, match) => {
    expect(createMatcher({ q, mode, caseSensitive: false }).plan?.match).toBe(match);
  });
});

describe('folding', () => {
  it('keeps the length of every text', () => {
    for (let unit = 0; unit < 0x10000; unit += 1) {
      const text = `a${String.fromCharCode(unit)}b`;
      expect(foldCase(text)).toHaveLength(3);
      expect(foldWords(text)).toHaveLength(3);
    }
    expect(foldCase('𐐀İΣς')).toHaveLength('𐐀İΣς'.length);
  });

  it('makes equal what simple case folding makes equal', () => {
    for (let unit = 0; unit < 0xd800; unit += 1) {
      const one = String.fromCharCode(unit);
      for (const other of [one.toLowerCase(), one.toUpperCase()])
        if (other.length === 1) expect([one, foldCase(other)]).toEqual([one, foldCase(one)]);
    }
    expect(foldCase('ſσΣςµK')).toBe('sσσσμk');
    expect(foldWords('Éàñ Ångström')).toBe('ean angstrom');
  });
});

describe('lines', () => {
  const lines = (text: string, q: string, context = 0) =>
    matchingLines(text, createMatcher({ q, mode: 'literal', caseSensitive: false }).ranges(text), context);

  it('are numbered and have context', () => {
    expect(lines('a\r\nb\nneedle', 'needle', 2).matches).toEqual([
      { line: 3, text: 'needle', ranges: [{ start: 0, end: 6 }], before: ['a', 'b'], after: [] },
    ]);
    expect(lines('needle\n\nx\n', 'needle', 5).matches[0]?.after).toEqual(['', 'x']);
  });

  it('never cut a character', () => {
    const [match] = lines(`${'😀'.repeat(400)}needle${'😀'.repeat(400)}`, 'needle').matches;
    expect(match?.text.isWellFormed()).toBe(true);
    expect(match?.text).toContain('needle');
  });
});
