// Assertions that run in Node and in a page, because no test library runs in both.

type Json = Readonly<Record<string, unknown>>;

/** Throws unless both are equal as data. Bytes are compared as numbers, and an undefined field counts as absent. */
export function equal(actual: unknown, expected: unknown, what = 'the value'): void {
  const [actualText, expectedText] = [canonical(actual), canonical(expected)];
  if (actualText !== expectedText)
    throw new Error(`${what}: expected ${short(expectedText)}, got ${short(actualText)}`);
}

/** Throws unless every field of `expected` has that value. Other fields are ignored. */
export function has(actual: object, expected: Json, what = 'the object'): void {
  const fields = Object.keys(expected).map((key) => [key, (actual as Json)[key]]);
  equal(Object.fromEntries(fields), expected, what);
}

export function truthy(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`expected ${what}`);
}

/** Returns the error of a failed call. Throws when the call succeeds or fails with another class. */
export async function failure<T extends Error>(
  call: Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: any constructor of the class is accepted
  kind: abstract new (...inputs: any[]) => T,
): Promise<T> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof kind) return error;
  throw new Error(`expected ${kind.name}, ${error === null ? 'but it succeeded' : `got ${String(error)}`}`);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Uint8Array) return Array.from(inner);
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function short(text: string | undefined): string {
  const whole = text ?? 'undefined';
  return whole.length > 300 ? `${whole.slice(0, 300)}...` : whole;
}
