import { expect, it } from 'vitest';
import { releaseIdleMemory } from '../../../server/platform/process/idle-memory.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const mib = 1024 * 1024;

/** A heap whose size and business the test sets; a collection takes it back to 40 MiB. */
function watched() {
  const state = { heapMib: 40, busy: 0, collections: 0 };
  const clock = createManualClock();
  const stop = new AbortController();
  const ended = releaseIdleMemory(
    {
      heapBytes: () => state.heapMib * mib,
      busyShare: () => state.busy,
      collect() {
        state.collections += 1;
        state.heapMib = 40;
      },
    },
    clock,
    stop.signal,
  );
  const look = async () => {
    clock.advance(5_000);
    await new Promise((resolve) => setImmediate(resolve));
    return state.collections;
  };
  const rest = async () => {
    await look();
    return await look();
  };
  return { state, look, rest, stop, ended };
}

it('collects at the first rest after a start, and then after work', async () => {
  const { state, look, rest } = watched();
  state.busy = 0.9;
  expect(await rest()).toBe(0);
  state.busy = 0.01;
  expect(await rest()).toBe(1);
  Object.assign(state, { heapMib: 80, busy: 0.9 });
  expect(await look()).toBe(1);
  state.busy = 0.01;
  expect(await rest()).toBe(2);
  expect(await rest()).toBe(2);
});

it('does not take a short pause for rest', async () => {
  const { state, look } = watched();
  for (let pause = 0; pause < 4; pause += 1) {
    state.busy = 0.01;
    expect(await look()).toBe(0);
    state.busy = 0.9;
    expect(await look()).toBe(0);
  }
});

it('leaves a heap alone that has hardly grown', async () => {
  const { state, rest } = watched();
  expect(await rest()).toBe(1);
  state.heapMib = 47;
  expect(await rest()).toBe(1);
});

it('counts from the smallest that the heap has been since', async () => {
  const { state, rest } = watched();
  expect(await rest()).toBe(1);
  state.heapMib = 20;
  expect(await rest()).toBe(1);
  state.heapMib = 30;
  expect(await rest()).toBe(2);
});

it('ends with its signal', async () => {
  const { stop, ended } = watched();
  stop.abort();
  await ended;
});
