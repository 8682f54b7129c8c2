import { afterEach, expect, it, vi } from 'vitest';
import { lastChanges } from '../../../../renderer/model/files/history-view.ts';
import { localDateTime, parsePastTime } from '../../../../renderer/model/files/point-in-time.ts';
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
