// Waiting on a condition instead of on the clock: tests hold no sleeps. The deadline turns a hang into a
// failure that says what was awaited and what was seen last. It also runs in a page.

export interface WaitOptions {
  /** Default 30 s. */
  readonly deadlineMs?: number;
  /** Pause between two looks. Default: a tenth of the time that it has waited, 20 to 100 ms, as a look may be a request to an agent. */
  readonly everyMs?: number;
}

/**
 * Looks until `look` returns something other than undefined, null or false, and returns that.
 * An error thrown by `look` counts as "not yet"; the last one becomes the cause of the failure.
 */
export async function waitFor<T>(
  what: string,
  look: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Exclude<T, undefined | null | false>> {
  const deadlineMs = options.deadlineMs ?? 30_000;
  const begun = performance.now();
  let lastError: unknown;
  for (;;) {
    try {
      const seen = await look();
      lastError = undefined;
      if (seen !== undefined && seen !== null && seen !== false) {
        return seen as Exclude<T, undefined | null | false>;
      }
    } catch (error) {
      lastError = error;
    }
    const waitedMs = performance.now() - begun;
    if (waitedMs >= deadlineMs) {
      throw new Error(`waited ${deadlineMs} ms for ${what}`, { cause: lastError });
    }
    await delay(options.everyMs ?? Math.min(100, Math.max(20, waitedMs / 10)));
  }
}

async function delay(delayMs: number): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, delayMs));
}
