import { describe, expect, it } from 'vitest';
import { shareOf, span, timelineOf } from '../../../../renderer/model/outbound/operation-timeline.ts';
import type { OperationStep } from '../../../../server/contract/operations.ts';

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
