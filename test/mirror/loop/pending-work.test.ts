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
  const during = async (pause: Promise<void>) => {
    asleep = true;
    pause.then(
      () => {
        asleep = false;
      },
      (error: unknown) => expect.unreachable(String(error)),
    );
    await turn();
  };
  return {
    work,
    sleep: (timerWork: WorkKind = 'full') => during(work.sleep(2000, timerWork)),
    rest: () => during(work.rest(2000)),
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
    work.hint('full');
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
  work.hint('dirty');
  await sleep();
  expect(await isAsleep(), 'added before the sleep').toBe(false);
  expect(work.take()).toBe('dirty');
  await sleep();
  work.request('remote');
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

it('a hint does not end a rest, but the sleep after it; a request ends both', async () => {
  const { work, rest, sleep, isAsleep, fire } = sleeper();
  work.take();
  await rest();
  work.hint('dirty');
  expect(await isAsleep(), 'after a hint').toBe(true);
  fire();
  expect(await isAsleep(), 'after its time').toBe(false);
  await sleep();
  expect(await isAsleep(), 'the sleep after it').toBe(false);
  expect(work.take()).toBe('dirty');
  await rest();
  work.request('full');
  expect(await isAsleep(), 'after a request').toBe(false);
  expect(work.take()).toBe('full');
});
