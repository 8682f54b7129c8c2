import fc from 'fast-check';
import { expect, it } from 'vitest';

import { createVerifiedCache, type VerifiedToken } from '../../server/auth/tokens.ts';

function tokenUntil(expiresAtMs: number): VerifiedToken {
  return {
    tokenId: 't',
    workspaceId: 'w',
    agent: 'a',
    scopes: [],
    expiresAtMs,
    owner: false,
    deletesPerMinute: null,
    parentTokens: [],
    forkId: null,
    userId: null,
    user: null,
  };
}

it('forgets what was not used for the longest time when it is full', () => {
  const cache = createVerifiedCache(2);
  for (const name of ['a', 'b']) cache.put(name, tokenUntil(100));
  cache.get('a', 0);
  cache.put('c', tokenUntil(100));
  expect(['a', 'b', 'c'].map((name) => cache.get(name, 0) !== null)).toEqual([true, false, true]);
});

it('gives nothing back at or after the shorter of the two ends', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), fc.nat(200), (expiresAtMs, untilMs, nowMs) => {
      const cache = createVerifiedCache();
      cache.put('a', tokenUntil(expiresAtMs), untilMs);
      expect(cache.get('a', nowMs) !== null).toBe(nowMs < Math.min(expiresAtMs, untilMs));
    }),
  );
});
