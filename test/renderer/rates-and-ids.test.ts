import { expect, it, test } from 'vitest';
import { eventsPerMinute, peak } from '../../renderer/model/event-rate.ts';
import { pastedId } from '../../renderer/model/pasted-id.ts';

const minuteMs = 60_000;

it('counts events by the minute, the running one last, and leaves out what is older', () => {
  const nowMs = 100 * minuteMs + 30_000;
  const times = [nowMs, nowMs - 1, 99 * minuteMs, 97 * minuteMs + 5, 90 * minuteMs];
  const minutes = eventsPerMinute(times, 0, nowMs, 4);
  expect(minutes.map(({ events }) => events)).toEqual([1, 0, 1, 2]);
  expect(minutes[0]?.fromMs).toBe(97 * minuteMs);
  expect(peak(minutes)).toBe(2);
});

it('does not call a minute empty of which it knows nothing', () => {
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
