// The simulation is only worth what it catches: each planted fault of the engine must be found, by the seed noted for it or within
// the first ones, and engine.test.ts finds nothing in the engine as it is.
import { describe, expect, it } from 'vitest';
import { plantedFaults } from './planted-faults.ts';
import { simulate } from './world.ts';

const seedsMax = 300;

describe('the simulation catches a planted fault', () => {
  it.for(plantedFaults)('$name', async (fault) => {
    const all = Array.from({ length: seedsMax }, (_, index) => index + 1);
    // What caught it before comes first; whoever changed the engine looks on.
    for (const seed of [fault.caughtBySeed, ...all]) {
      const { violations } = await simulate(seed, fault);
      if (violations.length === 0) continue;
      if (seed !== fault.caughtBySeed)
        process.stdout.write(`"${fault.name}" is caught by seed ${seed} now: ${violations[0] ?? ''}\n`);
      return;
    }
    expect.unreachable(`no seed up to ${seedsMax} catches it`);
  });
});
