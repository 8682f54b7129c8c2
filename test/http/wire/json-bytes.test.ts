import { describe, expect, it } from 'vitest';
import { JsonBytes } from '../../../server/http/wire/json-bytes.ts';

describe('a long JSON text as bytes', () => {
  it('is the UTF-8 of all its pieces in order, whatever was expected of its length', () => {
    const pieces = Array.from({ length: 5_000 }, (_, n) => `"${n} – ${'ü€𝄞'.repeat(n % 7)}",`);
    for (const bytesExpected of [0, 100, 1_000_000]) {
      const json = new JsonBytes(bytesExpected);
      for (const piece of pieces) json.add(piece);
      expect(json.end().equals(Buffer.from(pieces.join('')))).toBe(true);
    }
  });

  it('takes one piece that is longer than everything expected', () => {
    const json = new JsonBytes(0);
    json.add('€'.repeat(100_000));
    json.add(']');
    expect(json.end().toString()).toBe(`${'€'.repeat(100_000)}]`);
  });

  it('is empty where nothing was added', () => {
    expect(new JsonBytes(10).end()).toHaveLength(0);
  });
});
