// Delays between attempts: the rule and each policy that uses it. Pure: the random number is an argument.

export interface BackoffRule {
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
}

/** Operations: see docs/wire-contract.md#inbound-events. */
export const writebackBackoff: BackoffRule = { firstDelayMs: 500, delayMsMax: 30_000 };
export const webhookBackoff: BackoffRule = { firstDelayMs: 1_000, delayMsMax: 3_600_000 };
/** A failing provider: how long its circuit stays open. */
export const circuitBackoff: BackoffRule = { firstDelayMs: 1_000, delayMsMax: 60_000 };

/** More doublings exceed every limit, and must not overflow. */
const doublingsMax = 30;

/**
 * The delay after the given attempt (1 = the first), doubling up to the limit. Its upper half is jitter, so that attempts that failed
 * together do not repeat together. `random` is in [0, 1).
 */
export function backoffMs(rule: BackoffRule, attempt: number, random: number): number {
  const doublings = Math.min(Math.max(attempt - 1, 0), doublingsMax);
  const wholeMs = Math.min(rule.firstDelayMs * 2 ** doublings, rule.delayMsMax);
  return Math.round(wholeMs / 2 + (wholeMs / 2) * random);
}
