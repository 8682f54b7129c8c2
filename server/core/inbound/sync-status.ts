// Computes the state of a provider and its cause from its counts: the one computation that the API, the CLI and the UI show. Pure.
import type { ProviderState } from '../../contract/providers.ts';
import type { FailureCause, ProviderSync } from '../../contract/sync.ts';

/** Older pending work makes a provider lagging. */
const lagSecondsMax = 30;

export interface ProviderCounts {
  readonly provider: string;
  /** false: it only sends webhooks, or has files. */
  readonly registered: boolean;
  /** Id and time of the newest envelope; null: none was received. */
  readonly lastEnvelopeId: string | null;
  readonly lastReceivedAtMs: number | null;
  readonly oldestPendingAtMs: number | null;
  readonly deadEnvelopes: number;
  readonly deadOperations: number;
  /** Dead letters and dead-lettered operations by the contract's codes. */
  readonly failureCodes: Readonly<Record<string, number>>;
  /** Of the newest dead letter; null: none. */
  readonly deadLetterError: string | null;
  /** Of the last call; null: it succeeded, or there was none. */
  readonly callError: string | null;
  /** Of the last refresh; null: as above. */
  readonly refreshError: string | null;
  readonly paused: boolean;
  /** A refresh is running. */
  readonly refreshing: boolean;
}

/** A provider without any data is healthy. */
export function syncOf(counts: ProviderCounts, nowMs: number): ProviderSync {
  return {
    provider: counts.provider,
    status: stateOf(counts, nowMs).state,
    cursor: counts.lastEnvelopeId,
    watermarkTs: counts.lastReceivedAtMs === null ? null : new Date(counts.lastReceivedAtMs).toISOString(),
    lagSeconds: wholeSeconds(counts.oldestPendingAtMs, nowMs),
    lastError: counts.deadLetterError ?? counts.refreshError ?? counts.callError,
    failureCodes: { ...counts.failureCodes },
    deadLetteredEnvelopes: counts.deadEnvelopes,
    deadLetteredOps: counts.deadOperations,
  };
}

export interface StateAndCause {
  readonly state: ProviderState;
  /** Whole sentences; null: it is healthy. */
  readonly cause: string | null;
}

export function stateOf(counts: ProviderCounts, nowMs: number): StateAndCause {
  if (counts.paused) return { state: 'paused', cause: 'Sending is paused.' };
  const faults = faultsOf(counts);
  if (faults.length > 0) return { state: 'error', cause: faults.join(' ') };
  const lagSeconds = wholeSeconds(counts.oldestPendingAtMs, nowMs);
  if (lagSeconds > lagSecondsMax)
    return { state: 'lagging', cause: `The oldest inbound event has waited for ${lagSeconds} s.` };
  return counts.refreshing
    ? { state: 'syncing', cause: 'A refresh is running.' }
    : { state: 'healthy', cause: null };
}

function faultsOf(counts: ProviderCounts): readonly string[] {
  const { callError, refreshError, deadOperations, deadEnvelopes } = counts;
  return [
    ...(callError === null ? [] : [`The last call failed: ${callError}.`]),
    ...(refreshError === null ? [] : [`The last refresh failed: ${refreshError}.`]),
    ...plural(deadOperations, 'operation is dead-lettered', 'operations are dead-lettered'),
    ...plural(deadEnvelopes, 'inbound event is a dead letter', 'inbound events are dead letters'),
  ];
}

/** A sentence; null for no problem. */
function plural(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}.`];
}

export function wholeSeconds(sinceMs: number | null, nowMs: number): number {
  return sinceMs === null ? 0 : Math.max(0, Math.floor((nowMs - sinceMs) / 1000));
}

/** The wire's failure codes. */
export function failureCodeOf(cause: FailureCause): string {
  switch (cause) {
    case 'path_taken':
      return 'conflict';
    case 'path_refused_by_provider':
      return 'forbidden';
    case 'workspace_gone':
      return 'not_found';
    case 'store_unavailable':
      return 'provider_unavailable';
    default:
      return 'unknown';
  }
}
