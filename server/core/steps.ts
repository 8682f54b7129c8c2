// Work in steps, as a generator: the caller decides what happens between them (mirror/state/slices.ts). Pure.

/** All steps at once. */
export function allSteps<Result>(steps: Iterator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
