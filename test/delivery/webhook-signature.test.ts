import { describe, expect, it } from 'vitest';
import { retryAfterOf } from '../../server/delivery/http-outcome.ts';
import { parseSecret, signedHeaders } from '../../server/delivery/webhook-signature.ts';

describe('a signature', () => {
  it('is the one of the Standard Webhooks specification', () => {
    // The specification's own example (libraries/*: "should create correct signature").
    const key = parseSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    if (key === null) throw new Error('it is a secret');
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      atMs: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    };
    expect(signedHeaders(key, message)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it.each([
    'whsec_',
    'whsec_c2hvcnQ=',
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    `${Buffer.alloc(32).toString('base64')}`,
    'whsec_not base64 at all, but long enough for one',
  ])('%s is no secret', (text) => {
    expect(parseSecret(text)).toBeNull();
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  it.each([
    [null, null],
    ['120', 120_000],
    ['0', null],
    ['-5', null],
    ['Fri, 20 Nov 2026 12:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', null],
    ['soon', null],
    ['999999999', 3_600_000],
  ])('%j', (header, waitMs) => {
    expect(retryAfterOf(header, now)).toBe(waitMs);
  });
});
