// A point in time as the value of a date and time field: `2026-11-20T12:31:22.481` in the local time zone. Pure.

export function localDateTime(atMs: number): string {
  const at = new Date(atMs);
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${date}T${time}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** null: not a time, or not in the past. */
export function parsePastTime(text: string, nowMs = Date.now()): number | null {
  const atMs = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(atMs) || atMs > nowMs ? null : atMs;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
