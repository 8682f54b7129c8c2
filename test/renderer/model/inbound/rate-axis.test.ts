import { expect, test } from 'vitest';
import { axisTop } from '../../../../renderer/model/inbound/rate-axis.ts';

test('the top of an axis is above the highest count, and its half is a whole number', () => {
  expect([0, 1, 2, 3, 7, 9, 10, 11, 41, 100, 212].map(axisTop)).toEqual([
    2, 2, 2, 4, 8, 10, 10, 20, 60, 100, 400,
  ]);
});
