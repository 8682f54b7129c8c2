import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime, jsonString } from '../../server/platform/json/json-text.ts';

test('a text is written as JSON.stringify would', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 })),
      (text) => jsonString(text) === JSON.stringify(text),
    ),
    { numRuns: 5000 },
  );
  expect(jsonString('\ud800')).toBe('"\\ud800"');
});

test('a time is written as Date would', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e13, max: 3e14 })), (times) =>
      times.every((time) => isoTime(time) === new Date(time).toISOString()),
    ),
    { numRuns: 5000 },
  );
});
