// Waiting on a condition instead of on the clock: tests hold no sleeps. The deadline turns a hang into a
// failure that says what was awaited and what was seen last. It also runs in a page.

export interface WaitOptions {
  /** Default 10 s. */
  readonly deadlineMs?: number;
  /** Pause between two looks, default 20 ms. */
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
  const deadlineMs = options.deadlineMs ?? 10_000;
  const end = performance.now() + deadlineMs;
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
    if (performance.now() >= end) {
      throw new Error(`waited ${deadlineMs} ms for ${what}`, { cause: lastError });
    }
    await delay(options.everyMs ?? 20);
  }
}

async function delay(delayMs: number): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, delayMs));
}
