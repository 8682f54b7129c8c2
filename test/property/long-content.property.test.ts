// A long content is decoded in slices: what comes of it, or why it is refused, is what decoding it whole gives.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeContent, stageLong } from '../../server/workspaces/decode-content.ts';
import { runs } from '../support/scale.ts';

const text = fc
  .tuple(
    fc.constantFrom('a', 'é', '😀', 'QUJD', 'QUI=', 'QQ==', 'QUJD\r\n', '\ud800', 'A-_B', '='),
    fc.integer({ min: 0, max: 140_000 }),
    fc.constantFrom('', 'a', 'QQ==', '\n', '\ude00', 'QQ==\n', '='),
    fc.constantFrom('', 'x', '\ud83d'),
  )
  .map(([unit, times, end, start]) => start + unit.repeat(times) + end);

test('in slices or whole, a content is decoded to the same bytes, or refused in the same words', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(undefined, 'utf-8', 'base64', 'utf-16'), async (one, encoding) => {
      const whole = decodeContent(one, encoding);
      const received: Uint8Array[] = [];
      const long = await stageLong(
        async (source) => {
          for await (const bytes of source) received.push(bytes);
          return { content: { hash: '', sizeBytes: 0, staged: true } };
        },
        one,
        encoding,
      );
      if (!whole.ok) expect(long).toEqual(whole);
      else {
        expect(long).toMatchObject({ ok: true, encoding: whole.encoding });
        expect(Buffer.concat(received).equals(whole.bytes)).toBe(true);
      }
    }),
    runs(400, 60_000),
  );
});
