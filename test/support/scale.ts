// One test, two sizes: what `npm test` can afford, and what `npm run test:long` does with the same code.

/** For what only a machine of its own can promise. */
export const isLong = process.env.MOORING_TEST_LONG === '1';

/** The figure for this run: a count of cases, seeds, rounds or files. */
export function scaled(short: number, long: number): number {
  return isLong ? long : short;
}

/**
 * How long a property is tried: a count of runs in the short form, which a busy machine only makes slower, and a time in the long one.
 * A time that passes before the first run would fail it.
 */
export function runs(short: number, longMs: number) {
  return isLong
    ? { numRuns: 1_000_000, interruptAfterTimeLimit: longMs, markInterruptAsFailure: false }
    : { numRuns: short };
}

/** How often each point of a kill-point test kills; MOORING_TEST_ROUNDS sets it for a run in pieces. */
export function killRounds(): number {
  return Number(process.env.MOORING_TEST_ROUNDS ?? scaled(1, 100));
}
