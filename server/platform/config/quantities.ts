// Parses and formats sizes, durations and numbers in settings. It rejects text that does not match completely.

const byteUnits = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;
const durationUnits = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Bytes of `4096`, `64KiB`, `96MiB` or `1GiB`; null: not a size. */
export function parseBytes(text: string): number | null {
  const match = /^(\d{1,15})(B|KiB|MiB|GiB)?$/.exec(text);
  if (match === null) return null;
  const bytes = Number(match[1]) * byteUnits[(match[2] ?? 'B') as keyof typeof byteUnits];
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** Formats bytes in the largest unit without a fraction: 20 GiB, not 20480 MiB. */
export function bytesText(bytes: number): string {
  const units = Object.entries(byteUnits).reverse();
  const [unit, size] = units.find(([, size]) => bytes >= size && bytes % size === 0) ?? ['B', 1];
  return `${bytes / size} ${unit}`;
}

/** Milliseconds of `500ms`, `60s`, `15m`, `24h` or `7d`; the unit is required. null: not a duration. */
export function parseDurationMs(text: string): number | null {
  const match = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text);
  if (match === null) return null;
  const durationMs = Number(match[1]) * durationUnits[match[2] as keyof typeof durationUnits];
  return Number.isSafeInteger(durationMs) ? durationMs : null;
}

/** The number of `0` or `42`, without sign, fraction or leading zeros; null: not one. */
export function parseWholeNumber(text: string): number | null {
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
