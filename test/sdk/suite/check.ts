// What the suite expects, in a form that runs in Node and in a page alike: no test library is at home in both.

type Json = Readonly<Record<string, unknown>>;

/** Throws unless both are the same as data. Bytes count as their numbers, a field that is undefined as absent. */
export function equal(actual: unknown, expected: unknown, what = 'the value'): void {
  const [seen, wanted] = [canonical(actual), canonical(expected)];
  if (seen !== wanted) throw new Error(`${what}: expected ${short(wanted)}, saw ${short(seen)}`);
}

/** Throws unless every field of `expected` is there with that value; other fields may be anything. */
export function has(actual: object, expected: Json, what = 'the object'): void {
  const fields = Object.keys(expected).map((key) => [key, (actual as Json)[key]]);
  equal(Object.fromEntries(fields), expected, what);
}

export function truthy(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`expected ${what}`);
}

/** Answers the error that a call fails with. Throws when it succeeds or fails with an error of another class. */
export async function failure<T extends Error>(
  call: Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: any constructor of the class will do
  kind: abstract new (...inputs: any[]) => T,
): Promise<T> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof kind) return error;
  throw new Error(`expected ${kind.name}, ${error === null ? 'but it succeeded' : `saw ${String(error)}`}`);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Uint8Array) return Array.from(inner);
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function short(text: string | undefined): string {
  const all = text ?? 'nothing';
  return all.length > 300 ? `${all.slice(0, 300)}...` : all;
}
