// One test, two sizes: what `npm test` can afford, and what `npm run test:long` does with the same code.

const isLong = process.env.MOORING_TEST_LONG === '1';

/** The figure for this run: a count of cases, seeds, rounds or files. */
export function scaled(short: number, long: number): number {
  return isLong ? long : short;
}
