// Builds the JSON merge patch (RFC 7396) that turns one object into another. Pure.
// In a merge patch null removes a member, so an edit that sets a member to null has no patch.

type Fields = Readonly<Record<string, unknown>>;

/** null: no merge patch exists. An empty object: both are equal. */
export function mergeDifference(before: Fields, after: Fields): Fields | null {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (Object.hasOwn(before, name) && JSON.stringify(old) === JSON.stringify(value)) continue;
    if (isFields(value) && isFields(old)) {
      const inner = mergeDifference(old, value);
      if (inner === null) return null;
      patch[name] = inner;
    } else if (hasNull(value)) {
      return null;
    } else {
      patch[name] = value;
    }
  }
  return patch;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Inside arrays null is an ordinary value. */
function hasNull(value: unknown): boolean {
  return value === null || (isFields(value) && Object.values(value).some(hasNull));
}
