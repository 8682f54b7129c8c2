// What the end of an attempt means for the delivery of an event to an endpoint, and when an endpoint itself ends. Pure.
import { type BackoffRule, backoffMs } from './backoff.ts';
import type { AttemptOutcome } from './decide-attempt.ts';

/** With the attempts below: given up after about three hours. */
const webhookBackoff: BackoffRule = { firstDelayMs: 1_000, delayMsMax: 3_600_000 };
export const webhookAttempts = 16;

export interface WebhookDecision {
  readonly status: 'delivered' | 'pending' | 'dead_lettered';
  readonly nextAttemptAtMs: number | null;
}

/**
 * Unlike a provider's item an event gets no older than its attempts allow, whoever was at fault: its receiver can read what
 * it missed from the feed. An answer of 4xx is tried again, too, for it is what a receiver says that is just being put up;
 * an address that may not be called, and one that says that it is gone (410), is not.
 */
export function decideWebhookAttempt(
  attempt: number,
  outcome: AttemptOutcome,
  context: { readonly attemptsMax: number; readonly atMs: number; readonly random: number },
): WebhookDecision {
  if (outcome.kind === 'delivered') return { status: 'delivered', nextAttemptAtMs: null };
  const isFinal = outcome.kind === 'refused' && (outcome.httpStatus === null || outcome.httpStatus === 410);
  if (isFinal || attempt >= context.attemptsMax) return { status: 'dead_lettered', nextAttemptAtMs: null };
  const pauseMs = backoffMs(webhookBackoff, attempt, context.random);
  return { status: 'pending', nextAttemptAtMs: context.atMs + pauseMs };
}

export interface EndpointEnd {
  readonly cause: 'token_expired' | 'token_revoked';
  readonly atMs: number;
}

/** An endpoint ends with the token that registered it; null: it is active. What came first is the cause. */
export function endpointEnd(
  endpoint: { readonly expiresAtMs: number | null; readonly revokedAtMs: number | null },
  nowMs: number,
): EndpointEnd | null {
  const { expiresAtMs, revokedAtMs } = endpoint;
  if (revokedAtMs !== null && (expiresAtMs === null || revokedAtMs < expiresAtMs)) {
    return { cause: 'token_revoked', atMs: revokedAtMs };
  }
  return expiresAtMs !== null && expiresAtMs <= nowMs ? { cause: 'token_expired', atMs: expiresAtMs } : null;
}
