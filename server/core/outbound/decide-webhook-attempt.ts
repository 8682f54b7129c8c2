// Decides what the result of an attempt means for a webhook delivery, and when an endpoint expires. Pure.
import { backoffMs, webhookBackoff } from './backoff.ts';
import type { AttemptOutcome } from './decide-attempt.ts';

/** With `webhookBackoff`: a delivery is dead-lettered after about three hours. */
export const webhookAttempts = 16;

export interface WebhookDecision {
  readonly status: 'delivered' | 'pending' | 'dead_lettered';
  readonly nextAttemptAtMs: number | null;
}

/**
 * Unlike an operation, a delivery ends after its attempts, whatever their cause: the receiver can read missed events from the feed. A
 * 4xx answer is retried, since a receiver that is being deployed answers so. A URL that may not be called, and one that answers 410
 * (gone), is not retried.
 */
export function decideWebhookAttempt(
  attempt: number,
  outcome: AttemptOutcome,
  context: { readonly attemptsMax: number; readonly atMs: number; readonly random: number },
): WebhookDecision {
  if (outcome.kind === 'delivered') return { status: 'delivered', nextAttemptAtMs: null };
  const isFinal = outcome.kind === 'refused' && (outcome.httpStatus === null || outcome.httpStatus === 410);
  if (isFinal || attempt >= context.attemptsMax) return { status: 'dead_lettered', nextAttemptAtMs: null };
  const delayMs = backoffMs(webhookBackoff, attempt, context.random);
  return { status: 'pending', nextAttemptAtMs: context.atMs + delayMs };
}

export interface EndpointExpiry {
  readonly cause: 'token_expired' | 'token_revoked';
  readonly atMs: number;
}

/** An endpoint ends with the token that registered it; null: it is active. The earlier event is the cause. */
export function endpointExpiry(
  endpoint: { readonly expiresAtMs: number | null; readonly revokedAtMs: number | null },
  nowMs: number,
): EndpointExpiry | null {
  const { expiresAtMs, revokedAtMs } = endpoint;
  if (revokedAtMs !== null && (expiresAtMs === null || revokedAtMs < expiresAtMs)) {
    return { cause: 'token_revoked', atMs: revokedAtMs };
  }
  return expiresAtMs !== null && expiresAtMs <= nowMs ? { cause: 'token_expired', atMs: expiresAtMs } : null;
}
