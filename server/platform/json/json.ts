// How deep JSON from outside may be nested. It only measures.

/** Objects and arrays inside of each other. What is much deeper cannot be written out again: JSON.stringify and the messages
 * between threads follow it with the stack; SQLite reads 1,000 levels (https://sqlite.org/limits.html). */
export const jsonNestingMax = 256;
/** A text that is shorter is not that deep: each level has a bracket at both ends. */
const deepBytesMin = 2 * jsonNestingMax;

/** `value` is what JSON.parse made of a text of `bytes` bytes. */
export function isNestedTooDeep(value: unknown, bytes: number): boolean {
  return bytes > deepBytesMin && isDeeperThan(value, jsonNestingMax);
}

/** Itself no deeper than that. Without lists of its own: it looks at every body that is not small. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isDeeperThan(inner, levels - 1));
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) if (isDeeperThan(fields[name], levels - 1)) return true;
  return false;
}
