import { expect, it } from 'vitest';
import { eventsPerMinute, peak } from '../../../../renderer/model/inbound/event-rate.ts';

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
