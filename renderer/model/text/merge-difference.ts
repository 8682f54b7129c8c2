// The JSON merge patch (RFC 7396) that turns one object into another. Pure.
// A merge patch cannot set a member to null: null means "away" in it. Such an edit has no patch.

type Fields = Readonly<Record<string, unknown>>;

/** null: no merge patch does this. An empty object: nothing differs. */
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
    } else if (holdsNull(value)) {
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

/** Inside of arrays null is a value like any other. */
function holdsNull(value: unknown): boolean {
  return value === null || (isFields(value) && Object.values(value).some(holdsNull));
}
