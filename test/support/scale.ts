// One test, two sizes: what `npm test` can afford, and what `npm run test:long` does with the same code.

/** For what only a machine of its own can promise. */
export const isLong = process.env.MOORING_TEST_LONG === '1';

/** The figure for this run: a count of cases, seeds, rounds or files. */
export function scaled(short: number, long: number): number {
  return isLong ? long : short;
}

/** How often each point of a kill-point test kills; MOORING_TEST_ROUNDS sets it for a run in pieces. */
export function killRounds(): number {
  return Number(process.env.MOORING_TEST_ROUNDS ?? scaled(1, 100));
}
