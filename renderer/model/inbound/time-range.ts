// A time range selected in a chart: its form in the URL and its changes. Pure.
import { clock } from '../format.ts';
import type { RateMinute } from './event-rate.ts';

export interface TimeRange {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export type RangeEnd = 'from' | 'to';

const minuteMs = 60_000;

/** `2026-11-22T00:05:00.000Z/2026-11-22T00:17:00.000Z`; null: not a range. */
export function parseRange(text: string): TimeRange | null {
  const [from = '', to = '', more] = text.split('/');
  const fromMs = Date.parse(from);
  const toMs = Date.parse(to);
  return more === undefined && fromMs < toMs ? { fromMs, toMs } : null;
}

/** '': no range. */
export function rangeText(range: TimeRange | null): string {
  if (range === null) return '';
  return `${new Date(range.fromMs).toISOString()}/${new Date(range.toMs).toISOString()}`;
}

/** `12:05 to 12:17` */
export function rangeName({ fromMs, toMs }: TimeRange): string {
  return `${clock(fromMs).slice(0, 5)} to ${clock(toMs).slice(0, 5)}`;
}

export function isWithin(range: TimeRange, atMs: number): boolean {
  return atMs >= range.fromMs && atMs < range.toMs;
}

/** From the minute with one index to the minute with the other, inclusive, in either order. */
export function rangeBetween(minutes: readonly RateMinute[], one: number, other: number): TimeRange | null {
  const first = minutes[Math.min(one, other)];
  const last = minutes[Math.max(one, other)];
  return first === undefined || last === undefined
    ? null
    : { fromMs: first.fromMs, toMs: last.fromMs + minuteMs };
}

/** Position of an end in minutes from the start of the chart, limited to the chart. */
export function positionOf(minutes: readonly RateMinute[], range: TimeRange | null, end: RangeEnd): number {
  const startMs = minutes[0]?.fromMs ?? 0;
  if (range === null) return end === 'from' ? 0 : minutes.length;
  const position = ((end === 'from' ? range.fromMs : range.toMs) - startMs) / minuteMs;
  return Math.min(minutes.length, Math.max(0, Math.round(position)));
}

/** Moves one end, at least one minute away from the other. null: the range covers the whole chart. */
export function withEnd(
  minutes: readonly RateMinute[],
  range: TimeRange | null,
  end: RangeEnd,
  position: number,
): TimeRange | null {
  const other = positionOf(minutes, range, end === 'from' ? 'to' : 'from');
  const from = end === 'from' ? Math.max(0, Math.min(position, other - 1)) : other;
  const to = end === 'to' ? Math.min(minutes.length, Math.max(position, other + 1)) : other;
  return from === 0 && to === minutes.length ? null : rangeBetween(minutes, from, to - 1);
}
