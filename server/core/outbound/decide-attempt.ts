// Decides what the result of an attempt means for its operation. Pure; the store loads before and writes after.
import type { OperationStatus } from '../../contract/words.ts';
import { backoffMs, writebackBackoff } from './backoff.ts';

/** Keys of `failureCodes` in the sync status. */
export const failureCodes = [
  'rate_limited',
  'timeout',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'provider_unavailable',
  'unknown',
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** What a provider returned for an operation that it accepted. */
export interface ProviderReceipt {
  readonly externalId: string | null;
  readonly canonicalPath: string | null;
  readonly providerResult: Readonly<Record<string, unknown>> | null;
}

export type AttemptOutcome =
  | ({ readonly kind: 'delivered'; readonly httpStatus: number | null } & ProviderReceipt)
  /**
   * `refused`: the provider will never accept it. `failed`: the next attempt may succeed; counts against the operation's limit.
   * `unavailable`: the provider accepts nothing now; the operation waits without a limit.
   */
  | {
      readonly kind: 'refused' | 'failed' | 'unavailable';
      readonly code: FailureCode;
      readonly message: string;
      readonly httpStatus: number | null;
    };

export interface AttemptContext {
  readonly atMs: number;
  /** In [0, 1). */
  readonly random: number;
  /** `failed` results that an operation may have, this one included. */
  readonly failuresMax: number;
  /** true: the operation itself may be the cause; false: its provider fails for other operations, too. */
  readonly counts: boolean;
}

export interface AttemptDecision {
  readonly status: Extract<OperationStatus, 'succeeded' | 'pending' | 'dead_lettered'>;
  readonly failures: number;
  readonly nextAttemptAtMs: number | null;
}

export function decideAttempt(
  operation: { readonly failures: number; readonly attemptCount: number },
  outcome: AttemptOutcome,
  context: AttemptContext,
): AttemptDecision {
  switch (outcome.kind) {
    case 'delivered':
      return { status: 'succeeded', failures: operation.failures, nextAttemptAtMs: null };
    case 'refused':
      return { status: 'dead_lettered', failures: operation.failures + 1, nextAttemptAtMs: null };
    case 'failed':
    case 'unavailable': {
      const failures = operation.failures + (outcome.kind === 'failed' && context.counts ? 1 : 0);
      if (failures >= context.failuresMax)
        return { status: 'dead_lettered', failures, nextAttemptAtMs: null };
      const delayMs = backoffMs(writebackBackoff, operation.attemptCount, context.random);
      return { status: 'pending', failures, nextAttemptAtMs: context.atMs + delayMs };
    }
    default:
      return outcome satisfies never;
  }
}
