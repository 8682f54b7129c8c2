import { afterEach, expect, it, vi } from 'vitest';
import { lastChanges } from '../../../../renderer/model/files/history-view.ts';
import {
  localDateTime,
  parsePastTime,
  quickTimes,
  stepped,
} from '../../../../renderer/model/files/point-in-time.ts';
import type { HistoryEntry } from '../../../../server/contract/history.ts';

afterEach(() => vi.unstubAllEnvs());

it.each(['UTC', 'Europe/Berlin', 'America/St_Johns'])('a time in %s is parsed to the millisecond', (zone) => {
  vi.stubEnv('TZ', zone);
  const atMs = Date.UTC(2026, 8, 3, 2, 5, 9, 40);
  expect(parsePastTime(localDateTime(atMs), atMs)).toBe(atMs);
});

it('a text that is not a time, and a time in the future, are rejected', () => {
  expect(['', 'yesterday', '2026-13-01T00:00'].map((text) => parsePastTime(text))).toEqual([
    null,
    null,
    null,
  ]);
  expect(parsePastTime('2026-11-20T12:00:00', Date.UTC(2026, 10, 1))).toBeNull();
});

it('the last changes are whole batches, newest first', () => {
  const entries = [
    ['batch_3', '/c.md'],
    ['batch_2', '/b.md'],
    ['batch_2', '/d.md'],
    ['batch_1', '/a.md'],
  ].map(([batch, path]) => ({ batch, path })) as unknown as HistoryEntry[];
  expect(lastChanges(entries, 2).map(({ files }) => files)).toEqual(['c.md', '2 files']);
});

it('a date, with or without a time, is typed in several ways; what no calendar has is no time', () => {
  const nowMs = new Date(2027, 0, 1).getTime();
  const read = (text: string): string | null => {
    const atMs = parsePastTime(text, nowMs);
    return atMs === null ? null : localDateTime(atMs);
  };
  expect(read('2026-11-20')).toBe('2026-11-20 00:00:00.000');
  expect(read(' 2026-1-2  9:05 ')).toBe('2026-01-02 09:05:00.000');
  expect(read('2026-11-20T12:31:22.4')).toBe('2026-11-20 12:31:22.400');
  expect(['2026-02-31', '2026-01-01 25:00', '2026-01-01 10:60', '20 Nov'].map(read)).toEqual(
    Array.from({ length: 4 }, () => null),
  );
});

it('an arrow changes the part at the caret, over the end of a month', () => {
  const nowMs = new Date(2026, 2, 1, 12).getTime();
  expect(stepped('2026-03-01 00:30', 9, -1, nowMs)).toBe('2026-02-28 00:30:00.000');
  expect(stepped('2026-03-01 00:30', 16, 1, nowMs)).toBe('2026-03-01 00:31:00.000');
  expect(stepped('2026-03-01 00:30', 2, -1, nowMs)).toBe('2025-03-01 00:30:00.000');
  expect(stepped('', 0, -1, nowMs)).toBe('2025-03-01 12:00:00.000');
  expect(stepped('soon', 0, 1, nowMs)).toBeNull();
});

it('a quick choice is the same time of an earlier day', () => {
  const nowMs = new Date(2026, 5, 15, 8, 30).getTime();
  expect(quickTimes.map(({ text, atMs }) => [text, localDateTime(atMs(nowMs))])).toEqual([
    ['1 hour ago', '2026-06-15 07:30:00.000'],
    ['Yesterday', '2026-06-14 08:30:00.000'],
    ['A week ago', '2026-06-08 08:30:00.000'],
  ]);
});
