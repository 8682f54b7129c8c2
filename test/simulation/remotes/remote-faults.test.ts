// The simulation is only worth what it catches: each planted fault must be found, by the seed noted for it or within the first ones.
import { describe, expect, it } from 'vitest';
import { plantedRemoteFaults } from './planted-remote-faults.ts';
import { simulateRemotes } from './remote-world.ts';

const seedsMax = 300;

describe('the simulation of remotes catches a planted fault', () => {
  it.for(plantedRemoteFaults)('$name', async (fault) => {
    const all = Array.from({ length: seedsMax }, (_, index) => index + 1);
    for (const seed of [fault.caughtBySeed, ...all]) {
      const { violations } = await simulateRemotes(seed, fault);
      if (violations.length === 0) continue;
      if (seed !== fault.caughtBySeed)
        process.stdout.write(`"${fault.name}" is caught by seed ${seed} now: ${violations[0] ?? ''}\n`);
      return;
    }
    expect.unreachable(`no seed up to ${seedsMax} catches it`);
  });
});
