import { describe, expect, it } from 'vitest';
import {
  deadLetterStatus,
  noRetryReason,
  previewView,
  sentence,
} from '../../../../renderer/model/inbound/dead-letter-view.ts';

describe('a dead letter', () => {
  it('has a status', () => {
    expect(deadLetterStatus({ state: 'dead_letter' })).toEqual({ kind: 'failed', word: 'Dead letter' });
    expect(deadLetterStatus({ state: 'pending' }).word).toBe('Pending');
    expect(deadLetterStatus({ state: 'settled', outcome: 'stale' }).word).toBe('Outdated event');
    expect(deadLetterStatus({ state: 'settled' }).word).toBe('Settled');
  });

  it('says why there is no automatic retry', () => {
    expect(noRetryReason({ attempts: [] })).toBe('No automatic retry: this payload would fail again.');
    const tried = (times: number) =>
      noRetryReason({
        cause: 'store_unavailable',
        attempts: Array.from({ length: times }, () => ({}) as never),
      });
    expect(tried(1)).toBe('No automatic retry: the only attempt failed.');
    expect(tried(8)).toBe('No automatic retry: all 8 attempts failed.');
  });

  it('previews a replay', () => {
    const after = { size: 1_200, contentHash: 'h' };
    expect(previewView({ outcome: 'applied', effect: 'create', path: '/a.md', after } as never)).toEqual({
      tone: 'ok',
      effect: 'Would create /a.md (1.2 KB)',
      note: 'No file exists there now.',
    });
    expect(previewView({ outcome: 'fails', message: 'content is not base64' } as never)).toMatchObject({
      tone: 'bad',
      note: 'Content is not base64.',
    });
    expect(previewView({ outcome: 'stale' } as never).note).toBe('A newer event was applied.');
    expect(
      previewView({ outcome: 'applied', effect: 'move', movedFrom: '/a', path: '/b' } as never).effect,
    ).toBe('Would move /a to /b');
  });

  it('formats messages as sentences', () => {
    expect([sentence('a b'), sentence('Done!'), sentence('')]).toEqual(['A b.', 'Done!', '']);
  });
});
