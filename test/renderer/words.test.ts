import { describe, expect, it } from 'vitest';
import {
  deadLetterStatus,
  noRetryReason,
  previewView,
  readPayload,
  sentence,
} from '../../renderer/model/inbound/dead-letter-view.ts';
import { shareOf, span, timelineOf } from '../../renderer/model/outbound/operation-timeline.ts';
import { mergeDifference } from '../../renderer/model/text/merge-difference.ts';
import type { OperationStep } from '../../server/contract/operations.ts';

describe('the merge patch between two objects', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1, b: 2 }, { a: 1 }, { b: null }],
    [{ a: 1 }, { a: 2, b: 'x' }, { a: 2, b: 'x' }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    [{ a: { b: 1 } }, { a: {} }, { a: { b: null } }],
    [{ a: [1, null] }, { a: [2, null] }, { a: [2, null] }],
    [{ a: { b: 1 } }, { a: 'text' }, { a: 'text' }],
  ])('of %j to %j is %j', (before, after, patch) => {
    expect(mergeDifference(before, after)).toEqual(patch);
  });

  it.each([
    [{ a: 1 }, { a: null }],
    [{}, { a: { b: null } }],
    [{ a: { b: 1 } }, { a: { b: null } }],
  ])('does not exist if %j becomes %j: null removes a member', (before, after) => {
    expect(mergeDifference(before, after)).toBeNull();
  });
});

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

  it('accepts a payload that is a JSON object and gives a reason otherwise', () => {
    expect(readPayload('{"a":1}')).toEqual({ ok: true, payload: { a: 1 } });
    for (const text of ['[]', 'null', '1', '{']) expect(readPayload(text).ok).toBe(false);
  });

  it('formats messages as sentences', () => {
    expect([sentence('a b'), sentence('Done!'), sentence('')]).toEqual(['A b.', 'Done!', '']);
  });
});

describe('the timeline of an operation', () => {
  const startMs = Date.parse('2026-11-20T12:00:00.000Z');
  const at = (ms: number) => new Date(startMs + ms).toISOString();
  const steps: readonly OperationStep[] = [
    { kind: 'written', at: at(0) },
    { kind: 'attempt', at: at(100), endedAt: at(400), attempt: 1, outcome: 'failed', httpStatus: 503 },
    { kind: 'waiting', at: at(400), endedAt: at(900) },
    { kind: 'attempt', at: at(900), endedAt: at(1_000), attempt: 2, outcome: 'delivered' },
    { kind: 'settled', at: at(1_000), outcome: 'succeeded' },
  ];

  it('shows each step as a bar, with the queue time between them', () => {
    const timeline = timelineOf({ steps: [...steps], status: 'succeeded' }, startMs + 5_000);
    expect(timeline.bars.map(({ label, kind }) => `${label} (${kind})`)).toEqual([
      'Written (moment)',
      'Queued (wait)',
      'Attempt 1: 503 (failed)',
      'Wait (wait)',
      'Attempt 2: sent (ok)',
      'Succeeded (ok)',
    ]);
    expect([timeline.fromMs, timeline.toMs, timeline.hidden]).toEqual([startMs, startMs + 1_000, 0]);
    const attempt = timeline.bars[2];
    expect(attempt === undefined ? null : shareOf(attempt, timeline)).toEqual({ left: 10, width: 30 });
  });

  it('extends a waiting bar to the current time', () => {
    const timeline = timelineOf(
      { steps: [{ kind: 'written', at: at(0) }], status: 'pending' },
      startMs + 2_000,
    );
    expect(timeline.bars.at(-1)).toMatchObject({ label: 'Queued', toMs: startMs + 2_000 });
  });

  it('hides the oldest of many bars', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      kind: 'waiting',
      at: at(index),
      endedAt: at(index + 1),
    }));
    const timeline = timelineOf({ steps: many as OperationStep[], status: 'pending' }, startMs);
    expect([timeline.bars.length, timeline.hidden]).toEqual([24, 16]);
  });

  it.each([
    [42, '42 ms'],
    [640, '0.6 s'],
    [125_000, '2 min 5 s'],
    [3_720_000, '1 h 2 min'],
  ])('%d ms read %s', (ms, text) => expect(span(ms)).toBe(text));
});
