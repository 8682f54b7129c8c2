// Ring 1 of the mirror's proof: one random tree, perturbed on both sides, planned, shuffled, partly applied, planned again.
// It must end, all three trees equal, and none of the anomalies A1 to A8 that a planner can cause may have happened.
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { scaled } from '../support/scale.ts';
import { comesTogether, keepsToItsWay } from './planner-laws.ts';
import { world } from './planner-model.ts';

describe('the planner, ring 1', () => {
  it('brings any two perturbed trees together without losing, reviving or inventing anything', () => {
    fc.assert(fc.property(world, comesTogether), { numRuns: scaled(10_000, 10_000_000) });
  });

  it('never writes the side whose way is closed, and still loses nothing of either', () => {
    const mode = fc.constantFrom('to-workspace' as const, 'to-folder' as const);
    fc.assert(fc.property(world, mode, keepsToItsWay), { numRuns: scaled(3000, 1_000_000) });
  });
});
