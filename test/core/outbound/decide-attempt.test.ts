import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, decideAttempt } from '../../../server/core/outbound/decide-attempt.ts';

const context = { atMs: 1_000, random: 0, failuresMax: 3, counts: true };
const failing = (kind: 'refused' | 'failed' | 'unavailable'): AttemptOutcome => ({
  kind,
  code: 'unknown',
  message: 'no',
  httpStatus: null,
});

describe('the end of an attempt', () => {
  it('means one thing for each outcome', () => {
    const item = { failures: 0, attemptCount: 1 };
    const delivered = {
      kind: 'delivered',
      httpStatus: 200,
      externalId: null,
      canonicalPath: null,
      providerResult: null,
    } as const;
    expect(decideAttempt(item, delivered, context).status).toBe('succeeded');
    expect(decideAttempt(item, failing('refused'), context).status).toBe('dead_lettered');
    expect(decideAttempt(item, failing('failed'), context)).toEqual({
      status: 'pending',
      failures: 1,
      nextAttemptAtMs: 1_250,
    });
    expect(decideAttempt({ failures: 2, attemptCount: 3 }, failing('failed'), context).status).toBe(
      'dead_lettered',
    );
  });

  it('of an unavailable provider, or one that fails for others, never uses an item up', () => {
    const item = { failures: 2, attemptCount: 500 };
    expect(decideAttempt(item, failing('unavailable'), context)).toMatchObject({
      status: 'pending',
      failures: 2,
    });
    expect(decideAttempt(item, failing('failed'), { ...context, counts: false })).toMatchObject({
      status: 'pending',
      failures: 2,
    });
  });
});
