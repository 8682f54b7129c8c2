import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storableText, textOfStored } from '../../server/store/postgres/storable-text.ts';

const characters = fc.constantFrom('\0', '\u0001', '\u0002', '\u0003', 'a', 'é', '/');
const texts = fc.string({ unit: characters, maxLength: 12 });

it('has no U+0000, comes back as it was, and sorts as before', () => {
  fc.assert(
    fc.property(texts, texts, (left, right) => {
      expect(storableText(left)).not.toContain('\0');
      expect(textOfStored(storableText(left))).toBe(left);
      const order = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
      expect(Math.sign(order(storableText(left), storableText(right)))).toBe(Math.sign(order(left, right)));
    }),
    { numRuns: 2_000 },
  );
});
