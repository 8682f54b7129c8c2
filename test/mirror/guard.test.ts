// When a loss is too large to be believed.
import { expect, test } from 'vitest';
import { checkLoss } from '../../server/mirror/guard.ts';

const twelve = { tracked: 12, left: 4, deletes: 6, leaving: 0, recentDeletes: 0, deletesPerMinuteMax: 1000 };

test.each([
  ['half of the files', twelve, null],
  ['half of the files, and more that have just vanished', { ...twelve, leaving: 2 }, 'mass_delete'],
  ['half of the files, and more a moment ago', { ...twelve, tracked: 10, recentDeletes: 6 }, 'mass_delete'],
  ['the last files', { ...twelve, left: 0 }, 'emptied'],
  [
    'few of many files, but too many for a minute',
    { ...twelve, tracked: 9000, left: 7999, deletes: 1001 },
    'delete_rate',
  ],
  [
    'the same, slowly',
    { ...twelve, tracked: 9000, left: 7999, deletes: 1, recentDeletes: 1000 },
    'delete_rate',
  ],
  ['nothing that would be deleted', { ...twelve, deletes: 0, leaving: 12, left: 0 }, null],
] as const)('%s', (_, loss, cause) => {
  expect(checkLoss(loss)).toBe(cause);
});
