import { describe, expect, it } from 'vitest';
import { nextTry, providerOf } from '../../renderer/model/outbound-view.ts';

const early = '2026-11-22T00:00:01.000Z';
const late = '2026-11-22T00:00:40.000Z';

describe('the next try of an item', () => {
  it('is when its own pause and that of its provider are over', () => {
    expect(nextTry({ nextAttemptAt: early }, { retryAt: late })).toBe(late);
    expect(nextTry({ nextAttemptAt: late }, { retryAt: early })).toBe(late);
    expect(nextTry({ nextAttemptAt: early }, {})).toBe(early);
    expect(nextTry({ nextAttemptAt: null }, { retryAt: late })).toBe(late);
    expect(nextTry({ nextAttemptAt: null }, null)).toBeNull();
  });
});

describe('the provider of an operation', () => {
  it('is the top folder of its file, and none of a file that lies in no folder', () => {
    expect(providerOf({ provider: 'notion', path: '/notion/a.md' })).toBe('notion');
    expect(providerOf({ provider: 'a.md', path: '/a.md' })).toBe('');
    expect(providerOf({ path: '/a.md' })).toBe('');
  });
});
