// A JSON merge patch (RFC 7396, section 2): the same edit for many payloads. Pure.

/** null in the patch takes a member away, an object goes into the one that is there, anything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  // Without a prototype, so that a member named __proto__ is one like any other.
  const merged: Record<string, unknown> = Object.assign(Object.create(null), isObject(target) ? target : {});
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
