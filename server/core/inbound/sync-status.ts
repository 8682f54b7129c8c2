// The state of a provider and its cause, from its figures: the one computation that the API, the command line and the UI show. Pure.
import type { ProviderState } from '../../contract/providers.ts';
import type { FailureCause, ProviderSync } from '../../contract/sync.ts';

/** Contract 2, sync status: waiting longer than this is lagging. */
const lagSecondsMax = 30;

export interface ProviderCounts {
  readonly provider: string;
  /** false: it only sends webhooks, or has files. */
  readonly registered: boolean;
  /** Id and time of the newest envelope; null: none came yet. */
  readonly lastEnvelopeId: string | null;
  readonly lastReceivedAtMs: number | null;
  readonly oldestPendingAtMs: number | null;
  readonly deadEnvelopes: number;
  readonly deadOperations: number;
  /** Dead letters and dead-lettered operations by the contract's codes. */
  readonly failureCodes: Readonly<Record<string, number>>;
  /** Of the newest dead letter; null: there is none. */
  readonly letterError: string | null;
  /** Of the last call; null: it succeeded, or there was none. */
  readonly callError: string | null;
  /** Of the last refresh; null: as above. */
  readonly refreshError: string | null;
  readonly paused: boolean;
  /** A refresh is under way. */
  readonly refreshing: boolean;
}

/** A provider of whom nothing is known is healthy (contract 2). */
export function syncOf(figures: ProviderCounts, nowMs: number): ProviderSync {
  return {
    provider: figures.provider,
    status: stateOf(figures, nowMs).state,
    cursor: figures.lastEnvelopeId,
    watermarkTs: figures.lastReceivedAtMs === null ? null : new Date(figures.lastReceivedAtMs).toISOString(),
    lagSeconds: wholeSeconds(figures.oldestPendingAtMs, nowMs),
    lastError: figures.letterError ?? figures.refreshError ?? figures.callError,
    failureCodes: { ...figures.failureCodes },
    deadLetteredEnvelopes: figures.deadEnvelopes,
    deadLetteredOps: figures.deadOperations,
  };
}

export interface StateAndCause {
  readonly state: ProviderState;
  /** Whole sentences; null: it is healthy. */
  readonly cause: string | null;
}

export function stateOf(figures: ProviderCounts, nowMs: number): StateAndCause {
  if (figures.paused) return { state: 'paused', cause: 'Sending is paused.' };
  const faults = faultsOf(figures);
  if (faults.length > 0) return { state: 'error', cause: faults.join(' ') };
  const lagSeconds = wholeSeconds(figures.oldestPendingAtMs, nowMs);
  if (lagSeconds > lagSecondsMax)
    return { state: 'lagging', cause: `The oldest inbound event has waited for ${lagSeconds} s.` };
  return figures.refreshing
    ? { state: 'syncing', cause: 'A refresh is running.' }
    : { state: 'healthy', cause: null };
}

function faultsOf(figures: ProviderCounts): readonly string[] {
  const { callError, refreshError, deadOperations, deadEnvelopes } = figures;
  return [
    ...(callError === null ? [] : [`The last call failed: ${callError}.`]),
    ...(refreshError === null ? [] : [`The last refresh failed: ${refreshError}.`]),
    ...plural(deadOperations, 'operation is dead-lettered', 'operations are dead-lettered'),
    ...plural(deadEnvelopes, 'inbound event is a dead letter', 'inbound events are dead letters'),
  ];
}

/** A sentence; none of nothing. */
function plural(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}.`];
}

export function wholeSeconds(sinceMs: number | null, nowMs: number): number {
  return sinceMs === null ? 0 : Math.max(0, Math.floor((nowMs - sinceMs) / 1000));
}

/** The contract's words for why something failed (contract 2, sync status). */
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
