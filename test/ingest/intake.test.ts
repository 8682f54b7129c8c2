import { expect, it } from 'vitest';
import { createIntake } from '../../server/ingest/intake.ts';
import { acceptedPerTurn, busyIntakeRequests, intakeCalmMs } from '../../server/ingest/limits.ts';

const capacity = 1_000;

function start() {
  const time = { nowMs: 0 };
  const intake = createIntake(capacity, () => time.nowMs);
  const ends: (() => void)[] = [];
  /** Begins so many; each ends when `ends` says so. */
  const begin = (count: number) =>
    Array.from({ length: count }, () => intake.run(() => new Promise<void>((end) => void ends.push(end))));
  return { intake, time, ends, begin };
}

it('leaves room while few come in', () => {
  const { intake, begin } = start();
  begin(busyIntakeRequests - 1);
  expect(intake.leavesRoom(1)).toBe(true);
  intake.stop();
});

it('goes first while many come in, until a while after them', async () => {
  const { intake, time, begin, ends } = start();
  const begun = begin(busyIntakeRequests);
  expect(intake.leavesRoom(1)).toBe(false);
  for (const end of ends) end();
  await Promise.all(begun);
  time.nowMs = intakeCalmMs - 1;
  expect(intake.leavesRoom(1)).toBe(false);
  time.nowMs = intakeCalmMs;
  expect(intake.leavesRoom(1)).toBe(true);
  intake.stop();
});

it('leaves a share of the turns to what waits, however many come in', async () => {
  const { intake, begin, ends } = start();
  const begun = begin(acceptedPerTurn);
  expect(intake.leavesRoom(1)).toBe(false);
  for (const end of ends) end();
  await Promise.all(begun);
  expect([intake.leavesRoom(1), intake.leavesRoom(1)]).toEqual([true, false]);
  intake.stop();
});

it('gives way altogether when the queue is half full', () => {
  const { intake, begin } = start();
  begin(busyIntakeRequests);
  expect([intake.leavesRoom(capacity / 2 - 1), intake.leavesRoom(capacity / 2)]).toEqual([false, true]);
  intake.stop();
});

it('says when it is time to ask again', async () => {
  const { intake, begin } = start();
  begin(busyIntakeRequests);
  const told = new Promise<void>((resolve) => intake.onRoom(resolve));
  expect(intake.leavesRoom(1)).toBe(false);
  await told;
  intake.stop();
});
