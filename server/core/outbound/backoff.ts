// How long to wait before something that failed is tried again. Pure: the random number is handed in.

export interface BackoffRule {
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
}

/** Beyond this many doublings the power alone is past every limit; it must not overflow. */
const doublingsMax = 30;

/**
 * The pause after the given attempt (1 = the first), doubling up to the limit. Its upper half is jitter, so that what failed
 * together does not come back together. `random` is in [0, 1).
 */
export function backoffMs(rule: BackoffRule, attempt: number, random: number): number {
  const doublings = Math.min(Math.max(attempt - 1, 0), doublingsMax);
  const wholeMs = Math.min(rule.firstDelayMs * 2 ** doublings, rule.delayMsMax);
  return Math.round(wholeMs / 2 + (wholeMs / 2) * random);
}
