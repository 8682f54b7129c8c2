import { expect, it } from 'vitest';
import { PendingWork, type WorkKind } from '../../../server/mirror/loop/pending-work.ts';

/** Pending work with a timer that the test fires, and the state of its last sleep. */
function sleeper() {
  const timers: (() => void)[] = [];
  const work = new PendingWork({
    delay: (_ms, signal) =>
      new Promise((resolve) => {
        timers.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      }),
  });
  let asleep = false;
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    work,
    sleep: async (timerWork: WorkKind = 'full') => {
      asleep = true;
      work.sleep(2000, timerWork).then(
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
    fire: () => timers.at(-1)?.(),
  };
}

it('work that was added before take() does not end the next sleep', async () => {
  const { work, sleep, isAsleep, fire } = sleeper();
  for (let round = 0; round < 3; round += 1) {
    work.add('full');
    expect(work.take()).toBe('full');
    await sleep();
    expect(await isAsleep()).toBe(true);
    fire();
    expect(await isAsleep()).toBe(false);
  }
});

it('work that is added after take() ends the next sleep at once, or the running one', async () => {
  const { work, sleep, isAsleep } = sleeper();
  work.take();
  work.add('dirty');
  await sleep();
  expect(await isAsleep(), 'added before the sleep').toBe(false);
  expect(work.take()).toBe('dirty');
  await sleep();
  work.add('remote');
  expect(await isAsleep(), 'added during the sleep').toBe(false);
  expect(work.take()).toBeNull();
});

it('a timeout adds the work of the timer', async () => {
  const { work, sleep, isAsleep, fire } = sleeper();
  work.take();
  await sleep('dirty');
  fire();
  expect(await isAsleep()).toBe(false);
  expect(work.take()).toBe('dirty');
});
