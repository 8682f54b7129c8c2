import { expect, it, test } from 'vitest';
import { eventsPerMinute, peak } from '../../renderer/model/inbound/event-rate.ts';
import { pastedId } from '../../renderer/model/inbound/pasted-id.ts';
import {
  parseRange,
  positionOf,
  rangeBetween,
  rangeText,
  withEnd,
} from '../../renderer/model/inbound/time-range.ts';

const minuteMs = 60_000;

it('counts events per minute including the current one, and ignores older events', () => {
  const nowMs = 100 * minuteMs + 30_000;
  const times = [nowMs, nowMs - 1, 99 * minuteMs, 97 * minuteMs + 5, 90 * minuteMs];
  const minutes = eventsPerMinute(times, 0, nowMs, 4);
  expect(minutes.map(({ events }) => events)).toEqual([1, 0, 1, 2]);
  expect(minutes[0]?.fromMs).toBe(97 * minuteMs);
  expect(peak(minutes)).toBe(2);
});

it('reports a minute before the known events as unknown, not as empty', () => {
  const nowMs = 100 * minuteMs;
  const minutes = eventsPerMinute([nowMs], 98 * minuteMs + 1, nowMs, 4);
  expect(minutes.map(({ events }) => events)).toEqual([null, null, 0, 1]);
});

test('a pasted id names its screen, anything else none', () => {
  expect(pastedId(' op_12 ')).toMatchObject({ kind: 'operation', id: 'op_12', screenId: 'operations' });
  expect(pastedId('env_ab12')?.screenId).toBe('dead-letters');
  expect(pastedId('evt_7')?.screenId).toBe('activity');
  expect(pastedId('con_a1b2')?.screenId).toBe('conflicts');
  for (const text of ['', 'op_', 'op_x', '/op_12', 'operation', 'rev_3']) expect(pastedId(text)).toBeNull();
});

test('a time range is selected in either direction, moved by its ends, and part of the URL', () => {
  const minutes = eventsPerMinute([], 0, 100 * minuteMs, 10);
  const range = rangeBetween(minutes, 6, 2);
  expect(range).toEqual({ fromMs: 93 * minuteMs, toMs: 98 * minuteMs });
  expect(parseRange(rangeText(range))).toEqual(range);
  expect([
    rangeText(null),
    parseRange(''),
    parseRange('x/y'),
    parseRange(rangeText(range).replace('/', '//')),
  ]).toEqual(['', null, null, null]);
  expect([positionOf(minutes, range, 'from'), positionOf(minutes, range, 'to')]).toEqual([2, 7]);
  expect([positionOf(minutes, null, 'from'), positionOf(minutes, null, 'to')]).toEqual([0, 10]);
  expect(withEnd(minutes, range, 'from', 3)).toEqual({ fromMs: 94 * minuteMs, toMs: 98 * minuteMs });
  // An end stops a minute before the other, and at the edges of the chart.
  expect(withEnd(minutes, range, 'from', 9)).toEqual({ fromMs: 97 * minuteMs, toMs: 98 * minuteMs });
  expect(withEnd(minutes, range, 'to', 99)).toEqual({ fromMs: 93 * minuteMs, toMs: 101 * minuteMs });
  expect(withEnd(minutes, withEnd(minutes, range, 'to', 99), 'from', -5)).toBeNull();
});
