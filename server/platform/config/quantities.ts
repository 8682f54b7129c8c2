// Sizes and durations as people write them. Strict: what is not wholly understood is refused, never guessed.

const byteUnits = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;
const durationUnits = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `4096`, `64KiB`, `96MiB`, `1GiB` -> bytes. null: something else. */
export function parseBytes(text: string): number | null {
  const match = /^(\d{1,15})(B|KiB|MiB|GiB)?$/.exec(text);
  if (match === null) return null;
  const bytes = Number(match[1]) * byteUnits[(match[2] ?? 'B') as keyof typeof byteUnits];
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** The same the other way round, in the largest unit that needs no fraction: 20 GiB, not 20480 MiB. */
export function bytesText(bytes: number): string {
  const units = Object.entries(byteUnits).reverse();
  const [unit, size] = units.find(([, size]) => bytes >= size && bytes % size === 0) ?? ['B', 1];
  return `${bytes / size} ${unit}`;
}

/** `500ms`, `60s`, `15m`, `24h`, `7d` -> milliseconds; the unit is needed. null: something else. */
export function parseDurationMs(text: string): number | null {
  const match = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text);
  if (match === null) return null;
  const durationMs = Number(match[1]) * durationUnits[match[2] as keyof typeof durationUnits];
  return Number.isSafeInteger(durationMs) ? durationMs : null;
}

/** `0`, `42`, without sign, fraction or leading zeros. null: something else. */
export function parseWholeNumber(text: string): number | null {
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
