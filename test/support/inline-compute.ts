// Every job on the calling thread: for tests of what is computed, and for the simulation, whose time is its own.
import { jobs } from '../../server/compute/jobs.ts';
import type { Compute } from '../../server/compute/port.ts';

export const inlineCompute: Compute = {
  run: async (name, input) => jobs[name].run(input),
};
