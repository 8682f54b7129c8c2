// A span of minutes chosen in a chart: how it stands in the address, and what moves it. Pure.

import { clock } from '../format.ts';
import type { RateMinute } from './event-rate.ts';

export interface TimeRange {
  readonly fromMs: number;
  /** Not in it any more. */
  readonly toMs: number;
}

export type RangeEnd = 'from' | 'to';

const minuteMs = 60_000;

/** `2026-11-22T00:05:00.000Z/2026-11-22T00:17:00.000Z`. null: it is none. */
export function parseRange(text: string): TimeRange | null {
  const [from = '', to = '', more] = text.split('/');
  const fromMs = Date.parse(from);
  const toMs = Date.parse(to);
  return more === undefined && fromMs < toMs ? { fromMs, toMs } : null;
}

/** '' for none. */
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

/** The minutes between two of them, both included. */
export function rangeBetween(minutes: readonly RateMinute[], one: number, other: number): TimeRange | null {
  const first = minutes[Math.min(one, other)];
  const last = minutes[Math.max(one, other)];
  return first === undefined || last === undefined
    ? null
    : { fromMs: first.fromMs, toMs: last.fromMs + minuteMs };
}

/** Where an end stands, counted in minutes from the beginning of the chart; what lies outside of it stands at its edge. */
export function endAt(minutes: readonly RateMinute[], range: TimeRange | null, end: RangeEnd): number {
  const beginMs = minutes[0]?.fromMs ?? 0;
  if (range === null) return end === 'from' ? 0 : minutes.length;
  const at = ((end === 'from' ? range.fromMs : range.toMs) - beginMs) / minuteMs;
  return Math.min(minutes.length, Math.max(0, Math.round(at)));
}

/** One end put elsewhere; it stays at least a minute away from the other. null: all of the chart, which is no choice. */
export function withEnd(
  minutes: readonly RateMinute[],
  range: TimeRange | null,
  end: RangeEnd,
  at: number,
): TimeRange | null {
  const other = endAt(minutes, range, end === 'from' ? 'to' : 'from');
  const from = end === 'from' ? Math.max(0, Math.min(at, other - 1)) : other;
  const to = end === 'to' ? Math.min(minutes.length, Math.max(at, other + 1)) : other;
  return from === 0 && to === minutes.length ? null : rangeBetween(minutes, from, to - 1);
}
