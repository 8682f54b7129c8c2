import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wireContent } from '../../sdk/content.ts';
import { bytesOf } from '../../sdk/index.ts';

it('converts bytes to the wire and back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100_000, size: 'max' }), (bytes) => {
      expect(bytesOf(wireContent(bytes))).toEqual(bytes);
    }),
    { numRuns: 50 },
  );
});

it('sends text unchanged and reads it as UTF-8', () => {
  expect(wireContent('grün')).toEqual({ content: 'grün' });
  expect(bytesOf({ content: 'grün' })).toEqual(new TextEncoder().encode('grün'));
  expect(bytesOf({})).toEqual(new Uint8Array());
});
