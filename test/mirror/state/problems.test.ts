import { expect, it } from 'vitest';
import { ProblemTable } from '../../../server/mirror/state/problems.ts';
import { systemClock } from '../../../server/platform/clock.ts';

const failure = { kind: 'store_failed', cause: 'No room.', next: 'Make room.' };

it('what comes due after a plan was made is neither solved by that plan nor forgotten', () => {
  let nowMs = 10_000;
  const problems = new ProblemTable({ ...systemClock, monotonicMs: () => nowMs });
  problems.fail('/a', failure);
  nowMs += 999;
  problems.planned();
  expect([...problems.waiting()]).toEqual(['/a']);
  // The plan is carried out, and the first try is due in the middle of that.
  nowMs += 2;
  problems.atRest();
  expect([...problems.list()]).toMatchObject([{ path: '/a' }]);
  expect(problems.dueInMs()).toBe(0);
  problems.planned();
  expect([...problems.waiting()]).toEqual([]);
  expect(problems.dueInMs()).toBeNull();
  problems.atRest();
  expect([...problems.list()]).toEqual([]);
});
