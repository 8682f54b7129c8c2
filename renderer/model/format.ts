// Formats numbers, sizes and times. Pure; the zone and "now" come from the caller or the system.
export { count, plural } from '../../server/core/amounts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Decimal units: 999 B, 4.9 KB, 12 MB. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  for (const unit of ['KB', 'MB', 'GB']) {
    value /= 1000;
    if (value < 999.5 || unit === 'GB') return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
  }
  return `${bytes} B`;
}

/** `4 s`, `12 min`, `3 h`; older than a day: `18 Nov`, older than this year with its year. */
export function age(atMs: number, nowMs: number): string {
  const pastMs = Math.max(0, nowMs - atMs);
  if (pastMs < minuteMs) return `${Math.floor(pastMs / 1000)} s`;
  if (pastMs < hourMs) return `${Math.floor(pastMs / minuteMs)} min`;
  if (pastMs < dayMs) return `${Math.floor(pastMs / hourMs)} h`;
  const sameYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return sameYear ? dayAndMonth(atMs) : date(atMs);
}

/** The age inside a sentence: `just now`, `4 min ago`, or `on 18 Nov`. */
export function ago(atMs: number, nowMs: number): string {
  if (nowMs - atMs < 1000) return 'just now';
  const text = age(atMs, nowMs);
  return nowMs - atMs < dayMs ? `${text} ago` : `on ${text}`;
}

/** Rounded up: `8 s`, `2 min`, `3 h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const minutes = Math.ceil(seconds / 60);
  if (seconds < 60) return `${seconds} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** `12:31:22` in the local zone. Without Intl, as all below: it would slow down a list of a hundred rows. */
export function clock(atMs: number): string {
  const at = new Date(atMs);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
}

/** `18:00`, on another day `27 Nov, 08:00`: for a time that is to come. */
export function dayTime(atMs: number, nowMs: number): string {
  const time = clock(atMs).slice(0, 5);
  return date(atMs) === date(nowMs) ? time : `${dayAndMonth(atMs)}, ${time}`;
}

/** `12:31:22.481`, where times are compared. */
export function clockWithMs(atMs: number): string {
  return `${clock(atMs)}.${String(new Date(atMs).getMilliseconds()).padStart(3, '0')}`;
}

/** `20 Nov 2026` */
export function date(atMs: number): string {
  return `${dayAndMonth(atMs)} ${new Date(atMs).getFullYear()}`;
}

/** `20 Nov 2026, 12:31:22.481 UTC+1`, for the tooltip of every time. */
export function fullTime(atMs: number): string {
  return `${date(atMs)}, ${clockWithMs(atMs)} ${zone(atMs)}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dayAndMonth(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getDate()} ${months[at.getMonth()] ?? ''}`;
}

/** `UTC`, `UTC+1`, `UTC-3:30`: the local zone at that time. */
function zone(atMs: number): string {
  const minutes = -new Date(atMs).getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const rest = Math.abs(minutes) % 60;
  const hours = Math.floor(Math.abs(minutes) / 60);
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${twoDigits(rest)}`}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
