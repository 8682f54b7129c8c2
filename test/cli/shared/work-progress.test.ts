// The line of a long command: share, rate of the last seconds, time left; and nothing where no person reads it.
import { afterEach, expect, it, vi } from 'vitest';
import { describeWork, timeLeft, WorkProgress } from '../../../server/cli/shared/work-progress.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('omits what is unknown', () => {
  const bytes = { verb: 'Copying', unit: 'bytes' } as const;
  const mebibyte = 1024 * 1024;
  expect(describeWork({ done: 30 * mebibyte, total: 100 * mebibyte }, 10 * mebibyte, bytes)).toBe(
    'Copying 30.0 MiB of 100.0 MiB, 30 %, 10.0 MiB/s, about 7 s left',
  );
  expect(describeWork({ done: 5, total: null }, 2, { verb: 'Importing', unit: 'files' })).toBe(
    'Importing 5 files, 2 files/s',
  );
  expect(describeWork({ done: 0, total: 0 }, null, bytes)).toBe('Copying 0 B of 0 B');
  // What grew meanwhile is never more than the whole.
  expect(describeWork({ done: 12, total: 10 }, 1, bytes)).toBe(
    'Copying 12 B of 10 B, 99 %, 1 B/s, about 0 s left',
  );
  expect([timeLeft(8.2), timeLeft(61), timeLeft(7_300)]).toEqual(['9 s', '2 min', '3 h']);
});

it('prints the rate of the last seconds, at most once in five seconds in a log', () => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const progress = new WorkProgress({ verb: 'Importing', unit: 'files', always: true });
  // One file a second for twenty seconds, then ten a second.
  for (let second = 0; second <= 20; second += 1)
    progress.update({ done: second, total: 220 }, second * 1_000);
  for (let second = 21; second <= 40; second += 1)
    progress.update({ done: 20 + (second - 20) * 10, total: 220 }, second * 1_000);
  expect(lines).toHaveLength(8);
  expect(lines[0]).toBe('Importing 5 of 220 files, 2 %, 1 files/s, about 4 min left\n');
  expect(lines.at(-1)).toBe('Importing 220 of 220 files, 99 %, 10 files/s, about 0 s left\n');
});

it('prints nothing where stderr is not a terminal', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const progress = new WorkProgress({ verb: 'Copying', unit: 'bytes' });
  expect(progress.isShown === true).toBe(process.stderr.isTTY === true);
  if (progress.isShown) return;
  for (let second = 0; second < 60; second += 1)
    progress.update({ done: second, total: null }, second * 1_000);
  expect(write).not.toHaveBeenCalled();
});
