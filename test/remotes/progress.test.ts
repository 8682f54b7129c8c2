// Rate and remaining time of a sync: nothing uncertain is reported.
import { expect, it } from 'vitest';
import { Progress } from '../../server/remotes/state/progress.ts';
import { createManualClock } from '../support/manual-clock.ts';

const fileBytes = 1000;

function progressOf() {
  const clock = createManualClock();
  const progress = new Progress(clock);
  progress.restart();
  /** So many files, one each tenth of a second. */
  const sync = (files: number) => {
    for (let count = 0; count < files; count += 1) {
      clock.advance(100);
      progress.add(`/file ${count}`, fileBytes);
    }
  };
  return { progress, clock, sync };
}

it('says no rate before a second has passed', () => {
  const { progress, sync } = progressOf();
  sync(5);
  expect(progress.read(95)).toEqual({
    ...{ done: 5, total: 100, bytesDone: 5 * fileBytes },
    ...{ filesPerSecond: null, bytesPerSecond: null, leftMs: null },
  });
});

it('says the rate, and when the rest will be done', () => {
  const { progress, sync } = progressOf();
  sync(50);
  const { done, total, filesPerSecond, bytesPerSecond, leftMs } = progress.read(100);
  expect([done, total, leftMs]).toEqual([50, 150, 10_000]);
  expect(filesPerSecond).toBeCloseTo(10);
  expect(bytesPerSecond).toBeCloseTo(10 * fileBytes);
});

it('counts what is under way, which waits no more and is not done yet', () => {
  const { progress, sync } = progressOf();
  progress.read(100);
  sync(20);
  expect(progress.read(0)).toMatchObject({ done: 20, total: 100, leftMs: 8000 });
});

it('knows no end while the list is not complete, and begins anew', () => {
  const { progress, sync } = progressOf();
  sync(20);
  expect(progress.read(null)).toMatchObject({ done: 20, total: null, leftMs: null });
  progress.restart();
  expect(progress.read(7)).toMatchObject({ done: 0, total: 7, bytesDone: 0, filesPerSecond: null });
});

it('counts the bytes of a large file as they move, and the rest of it as time', () => {
  const { progress, clock } = progressOf();
  for (let bytes = 1; bytes <= 5; bytes += 1) {
    clock.advance(1000);
    progress.moved('/large', bytes * fileBytes, 10 * fileBytes);
  }
  expect(progress.read(1)).toMatchObject({ done: 0, total: 1, bytesDone: 5 * fileBytes });
  expect(progress.read(1).bytesPerSecond).toBeCloseTo(fileBytes);
  expect(progress.read(1).leftMs).toBeCloseTo(5000);
  progress.forget('/large');
  expect(progress.read(1)).toMatchObject({ done: 0, bytesDone: 0 });
});

it('knows no end while nothing moves', () => {
  const { progress, clock } = progressOf();
  clock.advance(30_000);
  expect(progress.read(7)).toMatchObject({ filesPerSecond: 0, leftMs: null });
});
