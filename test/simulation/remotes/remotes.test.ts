// Two desktops and a server over a bad network, with kills: no acknowledged change is lost, and all are equal at rest.
import { describe, expect, it } from 'vitest';
import { scaled } from '../../support/scale.ts';
import { simulateRemotes } from './remote-world.ts';

const seeds = scaled(200, 2000);
const seedsTwice = scaled(10, 300);
const seedsPerTest = 50;
const linesShown = 150;
/**
 * Beyond the short form, and each lost something once: 1185 and 1964 to a server that was set back while no position was stored, 1291 metadata,
 * 3930 and 4998 to a server that was set back and gave the revisions of before to other contents.
 */
const seedsThatLost = [1185, 1291, 1964, 3930, 4998];
/** MOORING_TEST_SEED replays one run and shows its end. */
const only = process.env.MOORING_TEST_SEED;

describe('remotes, simulated', () => {
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

  it(`keeps every promise with the seeds ${seedsThatLost.join(' and ')}, which once did not`, async () => {
    for (const seed of seedsThatLost) await check(seed);
  });

  it(`does the same again with the same seed, ${seedsTwice} times`, async () => {
    for (let seed = 1; seed <= seedsTwice; seed += 1)
      expect((await simulateRemotes(seed)).digest, `seed ${seed}`).toBe((await simulateRemotes(seed)).digest);
  });
});

async function check(seed: number): Promise<void> {
  const { violations, tail } = await simulateRemotes(seed);
  if (violations.length === 0) return;
  const shown = only === undefined ? linesShown : tail.length;
  throw new Error(
    `seed ${seed}\n${violations.join('\n')}\n\nThe end of what happened:\n${tail.slice(-shown).join('\n')}`,
  );
}
