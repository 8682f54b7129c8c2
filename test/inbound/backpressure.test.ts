import { expect, it } from 'vitest';
import { createBackpressure } from '../../server/inbound/backpressure.ts';
import { acceptanceCalmMs, busyRequestsMin, turnPauseMs } from '../../server/inbound/context.ts';

const capacity = 1_000;

function start() {
  const time = { nowMs: 0 };
  const intake = createBackpressure(capacity, () => time.nowMs);
  const begin = (count: number) => {
    for (let n = 0; n < count; n += 1) intake.began();
  };
  const end = (count: number) => {
    for (let n = 0; n < count; n += 1) intake.ended();
  };
  return { intake, time, begin, end };
}

it('leaves room while few come in', () => {
  const { intake, begin } = start();
  begin(busyRequestsMin - 1);
  expect(intake.leavesRoom(1)).toBe(true);
  intake.stop();
});

it('goes first while many come in, until a while after them', () => {
  const { intake, time, begin, end } = start();
  expect(intake.leavesRoom(1)).toBe(true);
  begin(busyRequestsMin);
  expect(intake.leavesRoom(1)).toBe(false);
  end(busyRequestsMin);
  time.nowMs = acceptanceCalmMs - 1;
  expect(intake.leavesRoom(1)).toBe(false);
  time.nowMs = acceptanceCalmMs;
  expect(intake.leavesRoom(1)).toBe(true);
  intake.stop();
});

it('leaves a turn to what waits now and then, however many come in', () => {
  const { intake, time, begin } = start();
  // It has waited since nobody knows when.
  const turns: number[] = [];
  for (time.nowMs = 0; time.nowMs <= 3 * turnPauseMs; time.nowMs += 1) {
    begin(busyRequestsMin);
    if (intake.leavesRoom(1)) turns.push(time.nowMs);
  }
  expect(turns).toEqual([0, turnPauseMs, 2 * turnPauseMs, 3 * turnPauseMs]);
  intake.stop();
});

it('gives way altogether when the queue is half full', () => {
  const { intake, begin } = start();
  begin(busyRequestsMin);
  intake.leavesRoom(1);
  expect([intake.leavesRoom(capacity / 2 - 1), intake.leavesRoom(capacity / 2)]).toEqual([false, true]);
  intake.stop();
});

it('says when it is time to ask again', async () => {
  const { intake, begin } = start();
  begin(busyRequestsMin);
  intake.leavesRoom(1);
  const told = new Promise<void>((resolve) => intake.onRoom(resolve));
  expect(intake.leavesRoom(1)).toBe(false);
  await told;
  intake.stop();
});
