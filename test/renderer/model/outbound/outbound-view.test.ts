import { describe, expect, it } from 'vitest';
import {
  circuitNote,
  deadLetteredCount,
  nextAttemptOf,
  pendingOperationCount,
  providerOf,
} from '../../../../renderer/model/outbound/outbound-view.ts';
import type { Provider } from '../../../../server/contract/providers.ts';
import type { ProviderSync } from '../../../../server/contract/sync.ts';

const early = '2026-11-22T00:00:01.000Z';
const late = '2026-11-22T00:00:40.000Z';

describe('the next try of an item', () => {
  it('is when its own pause and that of its provider are over', () => {
    expect(nextAttemptOf({ nextAttemptAt: early }, { retryAt: late })).toBe(late);
    expect(nextAttemptOf({ nextAttemptAt: late }, { retryAt: early })).toBe(late);
    expect(nextAttemptOf({ nextAttemptAt: early }, {})).toBe(early);
    expect(nextAttemptOf({ nextAttemptAt: null }, { retryAt: late })).toBe(late);
    expect(nextAttemptOf({ nextAttemptAt: null }, null)).toBeNull();
  });
});

describe('the provider of an operation', () => {
  it('is the top folder of its file, and none of a file that lies in no folder', () => {
    expect(providerOf({ provider: 'notion', path: '/notion/a.md' })).toBe('notion');
    expect(providerOf({ provider: 'a.md', path: '/a.md' })).toBe('');
    expect(providerOf({ path: '/a.md' })).toBe('');
  });
});

describe('a provider that is left alone', () => {
  const nowMs = Date.parse(early);
  it('says until when, and nothing while it is called or paused', () => {
    const note = (provider: Parameters<typeof circuitNote>[0]) => circuitNote(provider, nowMs);
    expect(note({ state: 'error', circuit: 'closed' })).toBeNull();
    expect(note({ state: 'error', circuit: 'open', retryAt: late })).toBe(
      'Circuit open: next attempt in 39 s',
    );
    expect(note({ state: 'error', circuit: 'open', retryAt: early })).toBe('Circuit open: next attempt now');
    expect(note({ state: 'error', circuit: 'half_open' })).toBe(
      'Circuit half-open: testing with one request',
    );
    expect(note({ state: 'paused', circuit: 'open', retryAt: late })).toBeNull();
  });
});

describe('open work', () => {
  it('holds what failed for good also of a provider that is not registered any more', () => {
    const git = { provider: 'git', pending: 2, running: 1, deadLettered: 3 } as Provider;
    const syncs: readonly ProviderSync[] = [
      { provider: 'git', status: 'error', deadLetteredOps: 3 },
      { provider: 'gone', status: 'error', deadLetteredOps: 4 },
      { provider: 'sender', status: 'healthy' },
    ];
    expect(deadLetteredCount([git], syncs)).toBe(7);
    expect(pendingOperationCount([git], syncs)).toBe(10);
    expect(pendingOperationCount([git], [])).toBe(6);
  });
});
