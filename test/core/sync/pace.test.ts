import { describe, expect, it } from 'vitest';
import { paceOf, type Reading, timeLeftMs, withReading } from '../../../server/core/sync/pace.ts';

/** `[second, files]`, a kilobyte a file. */
function readings(...list: readonly (readonly [number, number])[]): readonly Reading[] {
  return list.reduce<readonly Reading[]>(
    (all, [second, files]) => withReading(all, reading(second, files)),
    [],
  );
}

function reading(second: number, files: number): Reading {
  return { atMs: second * 1000, files, bytes: files * 1000 };
}

describe('the pace of a long work', () => {
  it('is not told before a second has been measured', () => {
    expect(paceOf([], reading(0, 0))).toBeNull();
    expect(paceOf(readings([0, 0]), reading(0.9, 500))).toBeNull();
    expect(paceOf(readings([0, 0]), reading(1, 500))).toEqual({
      filesPerSecond: 500,
      bytesPerSecond: 500_000,
    });
  });

  it('is that of the last ten seconds, not of a start that was faster', () => {
    const slowed = readings([0, 0], [5, 1000], [10, 1010], [15, 1020], [20, 1030]);
    expect(paceOf(slowed, reading(20, 1030))).toEqual({ filesPerSecond: 2, bytesPerSecond: 2000 });
  });

  it('falls while nothing is done, and is nothing after ten seconds of that', () => {
    const stalled = readings([0, 0], [1, 100]);
    expect(paceOf(stalled, reading(2, 100))?.filesPerSecond).toBe(50);
    expect(paceOf(stalled, reading(11, 100))?.filesPerSecond).toBe(0);
  });

  it('keeps few readings, however many come', () => {
    let all: readonly Reading[] = [];
    for (let step = 0; step <= 100_000; step += 1) all = withReading(all, reading(step / 1000, step));
    expect(all.length).toBeLessThan(50);
    expect(paceOf(all, reading(100, 100_000))?.filesPerSecond).toBeCloseTo(1000, 0);
  });
});

describe('the time that is left', () => {
  it('is the longer of what the files and what the bytes take', () => {
    const pace = { filesPerSecond: 10, bytesPerSecond: 1000 };
    expect(timeLeftMs(pace, { files: 100, bytes: 5000 })).toBe(10_000);
    expect(timeLeftMs(pace, { files: 1, bytes: 50_000 })).toBe(50_000);
    expect(timeLeftMs(pace, { files: 0, bytes: 0 })).toBe(0);
  });

  it('is not told without a pace, or while what is left does not move', () => {
    expect(timeLeftMs(null, { files: 1, bytes: 1 })).toBeNull();
    expect(timeLeftMs({ filesPerSecond: 0, bytesPerSecond: 0 }, { files: 1, bytes: 0 })).toBeNull();
    expect(timeLeftMs({ filesPerSecond: 5, bytesPerSecond: 0 }, { files: 1, bytes: 1 })).toBeNull();
    expect(timeLeftMs({ filesPerSecond: 5, bytesPerSecond: 0 }, { files: 5, bytes: 0 })).toBe(1000);
  });
});
