import { describe, expect, it } from 'vitest';
import { StallDetector, ThreadStallDetector } from '../../../server/disk/watch/stall-detector.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('a thread or a machine that stood still', () => {
  async function looked(stand: (clock: ReturnType<typeof createManualClock>) => void): Promise<number> {
    const clock = createManualClock();
    let told = 0;
    const watch = new StallDetector({
      clock,
      onLag: () => {
        told += 1;
      },
      needsCloseLook: () => true,
    });
    const ended = watch.run();
    for (const step of [() => clock.advance(200), () => stand(clock), () => clock.advance(200)]) {
      await waitFor('the look', () => clock.delays() === 1);
      step();
    }
    await waitFor('the look', () => clock.delays() === 1);
    watch.stop();
    clock.advance(200);
    await ended;
    return told;
  }

  it('may have missed hints: busy for a quarter of a second, or asleep', async () => {
    expect(await looked((clock) => clock.advance(200))).toBe(0);
    expect(await looked((clock) => clock.advance(351))).toBe(1);
    // What Linux shows of a night: the clock that counts stood still.
    const asleep = await looked((clock) => {
      clock.setWallMs(clock.nowMs() + 8 * 3_600_000);
      clock.advance(200);
    });
    expect(asleep).toBe(1);
  });

  it('is looked out for once, however many folders are in it', async () => {
    const clock = createManualClock();
    const thread = new ThreadStallDetector(clock);
    const told: string[] = [];
    const stops = ['a', 'b'].map((folder) =>
      thread.listen({ onStall: () => told.push(folder), needsCloseLook: () => true }),
    );
    const lag = async () => {
      expect(clock.delays()).toBe(1);
      clock.advance(351);
      await waitFor('the look', () => clock.delays() === 1);
    };
    await lag();
    expect(told).toEqual(['a', 'b']);
    stops[0]?.();
    await lag();
    expect(told).toEqual(['a', 'b', 'b']);
    stops[1]?.();
    clock.advance(351);
    // Nobody looks any more.
    expect(clock.delays()).toBe(0);
    expect(told).toHaveLength(3);
  });

  it('is looked at seldom where a busy thread loses nothing; a night is found then, or when it is asked for', async () => {
    const clock = createManualClock();
    const thread = new ThreadStallDetector(clock);
    const told: string[] = [];
    const stop = thread.listen({ onStall: (cause) => told.push(cause), needsCloseLook: () => false });
    const looked = async (ms: number) => {
      clock.advance(ms);
      await waitFor('the next look', () => clock.delays() === 1);
    };
    clock.advance(1999);
    clock.setWallMs(clock.nowMs() + 3_600_000);
    expect(told).toEqual([]);
    thread.look();
    thread.look();
    expect(told).toEqual(['asleep']);
    await looked(1);
    expect(told).toEqual(['asleep']);
    clock.setWallMs(clock.nowMs() + 3_600_000);
    await looked(2000);
    expect(told).toEqual(['asleep', 'asleep']);
    await looked(2151);
    expect(told).toEqual(['asleep', 'asleep', 'busy']);
    stop();
    expect(clock.delays()).toBe(0);
  });

  it('is flooded by many events in one second, also while it stands still, and nothing waits at rest', async () => {
    const clock = createManualClock();
    const thread = new ThreadStallDetector(clock, 200);
    const told: string[] = [];
    const stop = thread.listen({ onStall: (cause) => told.push(cause), needsCloseLook: () => false });
    const events = (count: number) => {
      for (let at = 0; at < count; at += 1) thread.countEvent();
    };
    for (let second = 0; second < 3; second += 1) {
      events(99);
      expect(clock.delays()).toBe(2);
      clock.advance(500);
      await waitFor('the second', () => clock.delays() === 2);
      clock.advance(500);
      await waitFor('the end of the second', () => clock.delays() === 1);
    }
    expect(told).toEqual([]);
    events(60);
    clock.advance(900);
    events(40);
    expect(told).toEqual(['flood']);
    stop();
  });

  it('is not told of a clock that was set a little, or back', async () => {
    for (const byMs of [1500, -3_600_000]) {
      const set = await looked((clock) => {
        clock.setWallMs(clock.nowMs() + byMs);
        clock.advance(200);
      });
      expect(set).toBe(0);
    }
  });
});
