import { expect, it } from 'vitest';
import { busyPauseMsMax, fewEvents, fewEventsPauseMsMax } from '../../server/search/limits.ts';
import { busyPauseMs } from '../../server/search/pace.ts';

it('uses a twentieth of a processor beside a stream of writes', () => {
  expect(busyPauseMs(8, fewEvents + 1)).toBe(152);
  expect(busyPauseMs(1_000, fewEvents + 1)).toBe(busyPauseMsMax);
});

it('pauses shortly after a slow slice where only single saves are to be indexed', () => {
  expect(busyPauseMs(40, 1)).toBe(fewEventsPauseMsMax);
  expect(busyPauseMs(1, 1)).toBe(19);
});
