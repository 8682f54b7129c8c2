// A point in time as a text that is typed: `2026-11-20 12:31:22.481` in the local time zone. Pure.

export function localDateTime(atMs: number): string {
  const at = new Date(atMs);
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${date} ${time}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

const form = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3}))?)?)?$/;

/** The time of a link, in RFC 3339. null: not a time, or not in the past. */
export function linkedPastTime(text: string, nowMs = Date.now()): number | null {
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) || atMs > nowMs ? null : atMs;
}

/** Also a date alone, which is its beginning. null: not a time, or not in the past. */
export function parsePastTime(text: string, nowMs = Date.now()): number | null {
  const atMs = timeOf(text);
  return atMs === null || atMs > nowMs ? null : atMs;
}

function timeOf(text: string): number | null {
  const found = form.exec(text.trim());
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const at = new Date(year, month - 1, day, hour, minute, second, Number((found[7] ?? '').padEnd(3, '0')));
  // 31 February and 25:00 exist in no calendar; Date would take them for a later time.
  const isReal =
    at.getMonth() === month - 1 && at.getDate() === day && hour < 24 && minute < 60 && second < 60;
  return isReal ? at.getTime() : null;
}

const hourMs = 3_600_000;

export interface QuickTime {
  readonly text: string;
  readonly atMs: (nowMs: number) => number;
}

export const quickTimes: readonly QuickTime[] = [
  { text: '1 hour ago', atMs: (nowMs) => nowMs - hourMs },
  { text: 'Yesterday', atMs: (nowMs) => daysBefore(nowMs, 1) },
  { text: 'A week ago', atMs: (nowMs) => daysBefore(nowMs, 7) },
];

/** The same time of an earlier day, also across a change of the clocks. */
function daysBefore(nowMs: number, days: number): number {
  const at = new Date(nowMs);
  at.setDate(at.getDate() - days);
  return at.getTime();
}

type Part = 'FullYear' | 'Month' | 'Date' | 'Hours' | 'Minutes' | 'Seconds';
/** The end of each part of the text. */
const ends: readonly (readonly [end: number, part: Part])[] = [
  [4, 'FullYear'],
  [7, 'Month'],
  [10, 'Date'],
  [13, 'Hours'],
  [16, 'Minutes'],
  [Number.POSITIVE_INFINITY, 'Seconds'],
];

/** The time with the part at the caret one more or less; an empty text begins at `nowMs`. null: the text is no time. */
export function stepped(text: string, caret: number, by: 1 | -1, nowMs: number): string | null {
  const atMs = text.trim() === '' ? nowMs : timeOf(text);
  if (atMs === null) return null;
  const at = new Date(atMs);
  const part = ends.find(([end]) => caret <= end)?.[1] ?? 'Seconds';
  at[`set${part}`](at[`get${part}`]() + by);
  return localDateTime(at.getTime());
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
