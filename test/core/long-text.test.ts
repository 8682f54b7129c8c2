// Texts in pieces: wherever they are cut, they are the same text, and no slice splits a character.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LongText, slicesOf } from '../../server/core/long-text.ts';
import { runs } from '../support/scale.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00', '\n') });
const pieces = fc.array(fc.string({ unit: fc.constantFrom('b', '😀', '\ud83d', '\ude00') }));

test('slices of pieces are the text, and each is as well-formed as the text', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 4 }), (cut, charactersMax) => {
      const long = new LongText(cut);
      const slices = [...slicesOf(long, charactersMax)];
      expect(slices.join('')).toBe(cut.join(''));
      expect(long.length).toBe(cut.join('').length);
      expect(slices.every((slice) => slice.isWellFormed())).toBe(cut.join('').isWellFormed());
      expect(slices.every((slice) => slice.length > 0 && slice.length <= charactersMax + 1)).toBe(true);
    }),
    runs(500, 10_000),
  );
});

test('slices of one text are the text', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 4 }), (whole, charactersMax) => {
      const slices = [...slicesOf(whole, charactersMax)];
      expect(slices.join('')).toBe(whole);
      expect(slices.every((slice) => slice.isWellFormed())).toBe(whole.isWellFormed());
    }),
    runs(500, 10_000),
  );
});

test('whatever writes JSON writes one text', () => {
  expect(JSON.stringify({ content: new LongText(['a\ud83d', '\ude00"']) })).toBe('{"content":"a😀\\""}');
});
