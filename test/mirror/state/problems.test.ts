import { expect, it } from 'vitest';
import { ProblemTable } from '../../../server/mirror/state/problems.ts';
import { systemClock } from '../../../server/platform/clock.ts';

const failure = { kind: 'store_failed', cause: 'No room.', next: 'Make room.' };

it('what waits for room is tried within a second after a removal, and nothing else is', () => {
  let nowMs = 10_000;
  const problems = new ProblemTable({ ...systemClock, monotonicMs: () => nowMs, nowMs: () => nowMs });
  for (const path of ['/full', '/refused'])
    for (let tries = 0; tries < 8; tries += 1)
      problems.fail(path, path === '/full' ? { ...failure, awaitsRoom: true } : failure);
  const before = problems.version;
  problems.roomMade();
  expect(problems.version).toBe(before + 1);
  expect([...problems.list()].map(({ path, retryAtMs }) => [path, retryAtMs - nowMs])).toEqual([
    ['/full', 1_000],
    ['/refused', 128_000],
  ]);
  problems.planned();
  expect(problems.dueInMs()).toBe(1_000);
  nowMs += 400;
  problems.roomMade();
  expect(problems.dueInMs()).toBe(600);
});

it('what waits for room is tried within a second when another such file is gone', () => {
  const nowMs = 10_000;
  const problems = new ProblemTable({ ...systemClock, monotonicMs: () => nowMs, nowMs: () => nowMs });
  for (const path of ['/large', '/small'])
    for (let tries = 0; tries < 8; tries += 1) problems.fail(path, { ...failure, awaitsRoom: true });
  problems.gone('/other');
  expect(problems.dueInMs()).toBe(128_000);
  problems.gone('/large');
  expect([...problems.list()].map(({ path, retryAtMs }) => [path, retryAtMs - nowMs])).toEqual([
    ['/small', 1_000],
  ]);
});

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
