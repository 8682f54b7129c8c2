import { describe, expect, it } from 'vitest';
import {
  type AttemptOutcome,
  decideAttempt,
  isDraftName,
  parseNameGlob,
  placeAfter,
} from '../../../server/core/outbound/decide-attempt.ts';

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

describe('the place of a draft', () => {
  it.each([
    ['/git/issues/draft.md', { externalId: 'X 1/2', canonicalPath: null }, '/git/issues/X_1_2.md'],
    ['/git/draft', { externalId: '7', canonicalPath: null }, '/git/7'],
    ['/git/a.md', { externalId: '7', canonicalPath: '/git/x/7.md' }, '/git/x/7.md'],
    ['/Git/a.md', { externalId: null, canonicalPath: '/git/b.md' }, '/git/b.md'],
    ['/git/a.md', { externalId: '7', canonicalPath: '/docs/7.md' }, '/git/7.md'],
    ['/git/a.md', { externalId: null, canonicalPath: '/docs/7.md' }, null],
    ['/git/a.md', { externalId: '7', canonicalPath: '/git/../docs/7.md' }, '/git/7.md'],
    ['/git/a', { externalId: '..', canonicalPath: null }, null],
    ['/git/a.md', { externalId: 'x'.repeat(300), canonicalPath: null }, null],
    ['/git/a.md', { externalId: null, canonicalPath: null }, null],
  ])('%s, named %j: %s', (path, named, place) => {
    expect(placeAfter(path, named)).toBe(place);
  });
});

describe('names of drafts', () => {
  it('are a resource, a space and a UUID', () => {
    const uuid = '0e89a031-65f0-480e-a823-ab1d94b324ea';
    expect(isDraftName(`messages ${uuid}.json`)).toBe(true);
    expect(isDraftName(`two words ${uuid.toUpperCase()}.json`)).toBe(true);
    expect(isDraftName(`${uuid}.json`)).toBe(false);
    expect(isDraftName(`messages ${uuid}.md`)).toBe(false);
    expect(isDraftName(`messages-${uuid}.json`)).toBe(false);
  });

  it.each([
    ['wb-*.json', 'wb-1.json', true],
    ['wb-*.json', 'wb-.json', true],
    ['wb-*.json', 'a-wb-1.json', false],
    ['?a', 'ba', true],
    ['?a', 'a', false],
    ['*', '', true],
    ['[a-c]x', 'bx', true],
    ['[^a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['a.b', 'axb', false],
    ['**a**', 'xxaxx', true],
    ['a*b*c', 'aXbXbXc', true],
    ['a*b*c', 'aXbXb', false],
  ])('the glob %s and the name %s: %s', (glob, name, matches) => {
    expect(parseNameGlob(glob)?.matches(name)).toBe(matches);
  });

  it.each(['', 'a/b', '[z-a]', '[', '[]', 'a\\', 'x'.repeat(257)])('%j is no glob', (glob) => {
    expect(parseNameGlob(glob)).toBeNull();
  });

  it('a glob made to be slow is fast', () => {
    const startedAt = performance.now();
    expect(parseNameGlob(`${'*a'.repeat(100)}b`)?.matches('a'.repeat(255))).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
