// Ring 2 of the mirror's proof: the whole engine between two sides that change under it, with crashes and power cuts at any
// system call. None of the anomalies A1 to A8 may happen in any run, and a seed always gives the same run.
import { describe, expect, it } from 'vitest';
import { scaled } from '../support/scale.ts';
import { simulate } from './world.ts';

const seeds = scaled(100, 2000);
const seedsTwice = scaled(20, 2000);
const seedsProving = scaled(40, 1000);
const seedsOrdered = scaled(35, 2000);
const seedsForked = scaled(40, 1000);
const seedsSilentMax = 300;
const seedsPerTest = 50;
const linesShown = 120;

/** MOORING_TEST_SEED replays one run and shows its end. */
const only = process.env.MOORING_TEST_SEED;

/** What the first run of a seed came to. */
const digests = new Map<number, string>();

describe('the whole engine, simulated', () => {
  if (only !== undefined) {
    it(`keeps every promise with seed ${only}`, async () => await check(Number(only)));
    return;
  }
  for (let first = 1; first <= seeds; first += seedsPerTest) {
    const last = Math.min(seeds, first + seedsPerTest - 1);
    it(`keeps every promise with the seeds ${first} to ${last}`, async () => {
      for (let seed = first; seed <= last; seed += 1) await check(seed);
    });
  }

  it(`does the same again with the same seed, ${seedsTwice} times`, async () => {
    for (let seed = 1; seed <= seedsTwice; seed += 1) {
      const once = digests.get(seed) ?? (await simulate(seed)).digest;
      expect((await simulate(seed)).digest, `seed ${seed}`).toBe(once);
    }
  });
});

describe('the mirror of a fork, simulated', () => {
  it('is right where an agent changes a file that the mirror has just made, before the answer', async () => {
    expect((await simulate(441, null, { isForked: true })).violations).toEqual([]);
  });

  it(`keeps every promise, with ${seedsForked} seeds`, async () => {
    for (let seed = 1; seed <= seedsForked; seed += 1) {
      const { violations, tail } = await simulate(seed, null, { isForked: true });
      expect(violations, `seed ${seed}\n${tail.slice(-linesShown).join('\n')}`).toEqual([]);
    }
  });
});

describe('the proof meter, simulated', () => {
  it('raises no alarm where a file waits for a path below it that the disk refused under another spelling', async () => {
    expect((await simulate(552, null, { provesByItself: true })).violations).toEqual([]);
  });

  it(`raises no alarm while both sides move, with ${seedsProving} seeds`, async () => {
    for (let seed = 1; seed <= seedsProving; seed += 1) {
      const { violations, tail } = await simulate(seed, null, { provesByItself: true });
      expect(violations, `seed ${seed}\n${tail.slice(-linesShown).join('\n')}`).toEqual([]);
    }
  });
});

describe('waiting until synced without a full scan, simulated', () => {
  it(`is right while the kernel keeps the order and a loss is noticed, with ${seedsOrdered} seeds`, async () => {
    for (let seed = 1; seed <= seedsOrdered; seed += 1) {
      const { violations, tail } = await simulate(seed, null, { kernel: 'ordered' });
      expect(violations, `seed ${seed}\n${tail.slice(-linesShown).join('\n')}`).toEqual([]);
    }
  });

  it('is right where the disk refused to show a directory, and shows it again without an event', async () => {
    expect((await simulate(503, null, { kernel: 'ordered' })).violations).toEqual([]);
  });

  it('is right where a path that waits for its next try keeps another from being planned', async () => {
    expect((await simulate(1820, null, { kernel: 'ordered' })).violations).toEqual([]);
  });

  it('is caught where events are lost without a word', async () => {
    for (let seed = 1; seed <= seedsSilentMax; seed += 1)
      if ((await simulate(seed, null, { kernel: 'silent' })).violations.length > 0) return;
    expect.unreachable(`no seed up to ${seedsSilentMax} catches it`);
  });
});

async function check(seed: number): Promise<void> {
  const { violations, tail, digest } = await simulate(seed);
  digests.set(seed, digest);
  if (violations.length === 0) return;
  const shown = only === undefined ? linesShown : tail.length;
  throw new Error(
    `seed ${seed}\n${violations.join('\n')}\n\nThe end of what happened:\n${tail.slice(-shown).join('\n')}`,
  );
}
