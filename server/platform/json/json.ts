// JSON from outside: its characters, its nesting limit, and checks of parsed values.

/** Character codes of JSON text. */
export const characters = {
  quote: 0x22,
  backslash: 0x5c,
  unicodeEscape: 0x75,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  /** Tab and line ends are below it; no other character at or below it is valid outside strings. */
  space: 0x20,
} as const;

/** Levels of objects and arrays. Deeper values cannot be written again: JSON.stringify and the messages between threads recurse on the
 * stack, and SQLite reads 1,000 levels (https://sqlite.org/limits.html). */
export const jsonNestingMax = 256;
/** A shorter text cannot exceed the limit: each level has two brackets. */
const deepBytesMin = 2 * jsonNestingMax;

/** `value` was parsed from a text of `bytes` bytes. */
export function isNestedTooDeep(value: unknown, bytes: number): boolean {
  return bytes > deepBytesMin && isDeeperThan(value, jsonNestingMax);
}

/** Recurses at most `levels` deep. It allocates nothing, because it checks every body that is not small. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isDeeperThan(inner, levels - 1));
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) if (isDeeperThan(members[name], levels - 1)) return true;
  return false;
}

/** true: a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** null: not the text of a JSON object. */
export function parseRecord(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
