import { describe, expect, it } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';

describe('the system clock', () => {
  it('tells the time, and one that never goes back', () => {
    expect(Math.abs(systemClock.nowMs() - Date.now())).toBeLessThan(1_000);
    const first = systemClock.monotonicMs();
    expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(first);
  });

  it('waits', async () => {
    const start = systemClock.monotonicMs();
    await systemClock.delay(20);
    expect(systemClock.monotonicMs() - start).toBeGreaterThanOrEqual(15);
  });

  it('stops waiting when the signal aborts, and does not start when it has', async () => {
    const abort = new AbortController();
    const waiting = systemClock.delay(3_600_000, abort.signal);
    abort.abort();
    await waiting;
    await systemClock.delay(3_600_000, abort.signal);
  });

  it('leaves no listener behind on a signal that lives on', async () => {
    const { signal } = new AbortController();
    let listening = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening -= 1;
      remove(...args);
    };
    await systemClock.delay(1, signal);
    expect(listening).toBe(0);
  });

  it('does not wake at once from a delay that is longer than a timer holds', async () => {
    const abort = new AbortController();
    let woken = false;
    const waiting = systemClock.delay(2 ** 40, abort.signal).then(() => {
      woken = true;
    });
    await systemClock.delay(20);
    expect(woken).toBe(false);
    abort.abort();
    await waiting;
  });
});
