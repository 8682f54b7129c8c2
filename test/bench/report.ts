// How a bench prints a figure: what was measured, the figure, and for a ratio what it should reach.

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** For ratios: `>= 0.4` or `<= 8`. */
  readonly reach?: { readonly at: 'least' | 'most'; readonly value: number };
  readonly note?: string;
}

export function print(figure: Figure): void {
  const value =
    figure.value >= 100 ? Math.round(figure.value).toLocaleString('en-US') : figure.value.toPrecision(3);
  const verdict = figure.reach === undefined ? '' : describeReach(figure.value, figure.reach);
  console.log(
    `${figure.name.padEnd(58)} ${value.padStart(10)} ${figure.unit.padEnd(8)} ${verdict} ${figure.note ?? ''}`.trimEnd(),
  );
}

function describeReach(value: number, reach: { at: 'least' | 'most'; value: number }): string {
  const met = reach.at === 'least' ? value >= reach.value : value <= reach.value;
  return `${reach.at === 'least' ? '>=' : '<='} ${reach.value} ${met ? 'reached' : 'NOT reached'}`;
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
