// Work that can wait until the page has nothing else to do, so that what the screen shows comes first.

const waitMsMax = 3_000;

/** A browser without idle callbacks does it after the current task. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: waitMsMax });
  else setTimeout(work);
}
