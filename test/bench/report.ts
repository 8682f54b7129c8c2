// How a bench prints a figure, and records it for docs/performance.md: what was measured, its floor, ratio, spread and target.
import { appendFileSync } from 'node:fs';

/** Rounds of a comparison: own work and floor alternate, so that a change of the machine's load affects both. */
export const roundsMin = 5;

export interface Reach {
  readonly at: 'least' | 'most';
  readonly value: number;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** For ratios: `>= 0.4` or `<= 8`. */
  readonly reach?: Reach;
  readonly note?: string;
}

/** What run.ts reads of a printed figure. */
export interface RecordedFigure extends Figure {
  readonly floor?: { readonly name: string; readonly value: number };
  /** Smallest and largest ratio of a round. */
  readonly spread?: readonly [number, number];
  readonly rounds?: number;
}

export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly floorName: string;
  /** One value a round; of the same length. */
  readonly own: readonly number[];
  readonly floor: readonly number[];
  readonly reach: Reach;
  readonly note?: string;
}

export function print(figure: Figure): void {
  const verdict = figure.reach === undefined ? '' : describeReach(figure.value, figure.reach);
  console.log(
    `${figure.name.padEnd(58)} ${shown(figure.value).padStart(10)} ${figure.unit.padEnd(8)} ${verdict} ${figure.note ?? ''}`.trimEnd(),
  );
  record(figure);
}

/** Prints and records the median of both sides, the median of the rounds' ratios, and their spread. Returns that ratio. */
export function printComparison({ name, unit, floorName, own, floor, reach, note }: Comparison): number {
  const ratios = own.map((value, round) => value / (floor[round] ?? Number.NaN));
  const ratio = median(ratios);
  const spread = [Math.min(...ratios), Math.max(...ratios)] as const;
  const floorValue = median(floor);
  console.log(
    `${name.padEnd(58)} ${shown(median(own)).padStart(10)} ${unit.padEnd(8)} ${note ?? ''}`.trimEnd(),
  );
  console.log(
    `  / ${floorName}`.padEnd(58) +
      ` ${shown(ratio).padStart(10)} ${'x'.padEnd(8)} ${describeReach(ratio, reach)}; ` +
      `floor ${shown(floorValue)} ${unit}; ${own.length} rounds ${shown(spread[0])} to ${shown(spread[1])}`,
  );
  record({ name, value: median(own), unit });
  record({
    name: `${name} / ${floorName}`,
    value: ratio,
    unit: 'x',
    reach,
    floor: { name: floorName, value: floorValue },
    spread,
    rounds: own.length,
  });
  return ratio;
}

/** Runs own work and floor in alternation. */
export async function alternate(
  rounds: number,
  own: (round: number) => Promise<number> | number,
  floor: (round: number) => Promise<number> | number,
): Promise<{ readonly own: number[]; readonly floor: number[] }> {
  const values = { own: [] as number[], floor: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    values.floor.push(await floor(round));
    values.own.push(await own(round));
  }
  return values;
}

export function shown(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
}

export function isReached(value: number, reach: Reach): boolean {
  return reach.at === 'least' ? value >= reach.value : value <= reach.value;
}

function describeReach(value: number, reach: Reach): string {
  const sign = reach.at === 'least' ? '>=' : '<=';
  return `${sign} ${reach.value} ${isReached(value, reach) ? 'reached' : 'NOT reached'}`;
}

function record(figure: RecordedFigure): void {
  const file = process.env.MOORING_BENCH_RECORD;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('median of nothing');
  return middle;
}

/** Nearest-rank percentile, `share` from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('percentile of nothing');
  return value;
}
