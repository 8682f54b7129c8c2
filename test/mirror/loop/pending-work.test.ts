import { expect, it } from 'vitest';
import { PendingWork, type WorkKind } from '../../../server/mirror/loop/pending-work.ts';

/** Needs whose timer the test rings, and how their last sleep stands. */
function sleeper() {
  const bells: (() => void)[] = [];
  const needs = new PendingWork({
    delay: (_ms, signal) =>
      new Promise((resolve) => {
        bells.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      }),
  });
  let asleep = false;
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    needs,
    sleep: async (timerNeed: WorkKind = 'full') => {
      asleep = true;
      needs.sleep(2000, timerNeed).then(
        () => {
          asleep = false;
        },
        (error: unknown) => expect.unreachable(String(error)),
      );
      await turn();
    },
    isAsleep: async () => {
      await turn();
      return asleep;
    },
    ring: () => bells.at(-1)?.(),
  };
}

it('what was needed before it was taken does not end the next sleep', async () => {
  const { needs, sleep, isAsleep, ring } = sleeper();
  for (let round = 0; round < 3; round += 1) {
    needs.add('full');
    expect(needs.take()).toBe('full');
    await sleep();
    expect(await isAsleep()).toBe(true);
    ring();
    expect(await isAsleep()).toBe(false);
  }
});

it('what comes after it was taken ends the next sleep at once, or the one that has begun', async () => {
  const { needs, sleep, isAsleep } = sleeper();
  needs.take();
  needs.add('dirty');
  await sleep();
  expect(await isAsleep(), 'it came before the sleep').toBe(false);
  expect(needs.take()).toBe('dirty');
  await sleep();
  needs.add('remote');
  expect(await isAsleep(), 'it came in the sleep').toBe(false);
  expect(needs.take()).toBeNull();
});

it('the end of the time is a need of its own', async () => {
  const { needs, sleep, isAsleep, ring } = sleeper();
  needs.take();
  await sleep('dirty');
  ring();
  expect(await isAsleep()).toBe(false);
  expect(needs.take()).toBe('dirty');
});
