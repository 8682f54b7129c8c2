import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs } from '../../../server/core/outbound/backoff.ts';

const rule = { firstDelayMs: 500, delayMsMax: 30_000 };

it('doubles up to its limit, the upper half being chance', () => {
  expect([1, 2, 3, 7, 8, 1_000].map((attempt) => backoffMs(rule, attempt, 0))).toEqual([
    250, 500, 1_000, 15_000, 15_000, 15_000,
  ]);
  expect([1, 2, 7].map((attempt) => backoffMs(rule, attempt, 0.999_999))).toEqual([500, 1_000, 30_000]);
});

it('never leaves its bounds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, random) => {
        const pauseMs = backoffMs(rule, attempt, random);
        expect(pauseMs).toBeGreaterThanOrEqual(rule.firstDelayMs / 2);
        expect(pauseMs).toBeLessThanOrEqual(rule.delayMsMax);
      },
    ),
  );
});
