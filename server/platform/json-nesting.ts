// How deep JSON from outside may be nested. It only measures.

/** Objects and arrays inside of each other. What is much deeper cannot be written out again: JSON.stringify and the messages
 * between threads follow it with the stack; SQLite reads 1,000 levels (https://sqlite.org/limits.html). */
export const jsonNestingMax = 256;
/** A text that is shorter is not that deep: each level has a bracket at both ends. */
const deepBytesMin = 2 * jsonNestingMax;

/** `value` is what JSON.parse made of a text of `bytes` bytes. Looks level by level, so that it needs no stack itself. */
export function isNestedTooDeep(value: unknown, bytes: number): boolean {
  if (bytes <= deepBytesMin) return false;
  let level = isNest(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > jsonNestingMax) return true;
    const next: object[] = [];
    for (const nest of level) {
      for (const inner of Array.isArray(nest) ? nest : Object.values(nest))
        if (isNest(inner)) next.push(inner);
    }
    level = next;
  }
  return false;
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
