import { expect, test } from 'vitest';
import { eventsPerMinute } from '../../../../renderer/model/inbound/event-rate.ts';
import {
  parseRange,
  positionOf,
  rangeBetween,
  rangeText,
  withEnd,
} from '../../../../renderer/model/inbound/time-range.ts';

const minuteMs = 60_000;

test('a time range is selected in either direction, moved by its ends, and part of the URL', () => {
  const minutes = eventsPerMinute([], 0, 100 * minuteMs, 10);
  const range = rangeBetween(minutes, 6, 2);
  expect(range).toEqual({ fromMs: 93 * minuteMs, toMs: 98 * minuteMs });
  expect(parseRange(rangeText(range))).toEqual(range);
  expect([
    rangeText(null),
    parseRange(''),
    parseRange('x/y'),
    parseRange(rangeText(range).replace('/', '//')),
  ]).toEqual(['', null, null, null]);
  expect([positionOf(minutes, range, 'from'), positionOf(minutes, range, 'to')]).toEqual([2, 7]);
  expect([positionOf(minutes, null, 'from'), positionOf(minutes, null, 'to')]).toEqual([0, 10]);
  expect(withEnd(minutes, range, 'from', 3)).toEqual({ fromMs: 94 * minuteMs, toMs: 98 * minuteMs });
  // An end stops one minute before the other, and at the edges of the chart.
  expect(withEnd(minutes, range, 'from', 9)).toEqual({ fromMs: 97 * minuteMs, toMs: 98 * minuteMs });
  expect(withEnd(minutes, range, 'to', 99)).toEqual({ fromMs: 93 * minuteMs, toMs: 101 * minuteMs });
  expect(withEnd(minutes, withEnd(minutes, range, 'to', 99), 'from', -5)).toBeNull();
});
