import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSha256,
  equalInConstantTime,
  pooledRandom,
  sha256Hex,
} from '../../../server/platform/crypto/hashes.ts';
import { createIds } from '../../../server/platform/crypto/ids.ts';

describe('an id', () => {
  it('has its form', () => {
    const ids = createIds();
    expect(ids.workspaceId()).toMatch(/^rw_[a-z0-9]{8}$/);
    expect(ids.tokenId()).toMatch(/^tok_[a-z0-9]{20}$/);
    expect(ids.mirrorId()).toMatch(/^mir_[a-z0-9]{12}$/);
    expect(ids.conflictId()).toMatch(/^con_[a-z0-9]{12}$/);
    expect(ids.correlationId()).toMatch(/^mooring_[a-z0-9]{16}$/);
  });

  it('follows from the randomness alone, and bytes that would favour a letter are drawn again', () => {
    const bytes = [255, 0, 254, 35, 36, 252, 251];
    let at = 0;
    const drawn = createIds((count) =>
      Uint8Array.from({ length: count }, () => bytes[at++ % bytes.length] ?? 0),
    );
    expect(drawn.text(4)).toBe('a9a9');
  });

  it('does not come twice', () => {
    const ids = createIds();
    expect(new Set(Array.from({ length: 10_000 }, () => ids.tokenId())).size).toBe(10_000);
  });

  it('uses every letter about as often', () => {
    const text = createIds().text(72_000);
    const counts = Map.groupBy(text, (letter) => letter);
    expect(counts.size).toBe(36);
    // 2,000 expected; nine standard deviations.
    for (const letters of counts.values()) expect(Math.abs(letters.length - 2_000)).toBeLessThan(400);
  });
});

it('random bytes of a pool are as many as asked for, and none is given twice', () => {
  const random = pooledRandom();
  const given = [4_000, 96, 5_000, 0, 1, 4_096].map((count) => random(count));
  expect(given.map((bytes) => bytes.length)).toEqual([4_000, 96, 5_000, 0, 1, 4_096]);
  const places = given
    .map(({ buffer, byteOffset, length }) => ({ buffer, from: byteOffset, to: byteOffset + length }))
    .filter(({ from, to }) => from < to);
  for (const one of places)
    for (const other of places)
      if (one !== other && one.buffer === other.buffer)
        expect(one.to <= other.from || other.to <= one.from).toBe(true);
});

describe('a hash', () => {
  it('is SHA-256 in lower-case hex, of bytes, of text, of pieces', () => {
    const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    const running = createSha256();
    for (const letter of 'abc') running.update(Buffer.from(letter));
    expect([sha256Hex('abc'), sha256Hex(Buffer.from('abc')), running.hex()]).toEqual([
      expected,
      expected,
      expected,
    ]);
  });
});

it('secrets are equal when their texts are, whatever their lengths', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      expect(equalInConstantTime(left, right)).toBe(left === right);
      expect(equalInConstantTime(left, left)).toBe(true);
    }),
  );
});
