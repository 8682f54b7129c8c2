// How the sync of a provider is, in one word, from its figures. Pure.
import type { FailureCause, ProviderSync } from '../contract/sync.ts';

/** Contract 2, sync status: waiting longer than this is lagging. */
const lagSecondsMax = 30;

export interface ProviderSyncFigures {
  readonly provider: string;
  /** Id and time of the newest envelope; null: none came yet. */
  readonly lastEnvelopeId: string | null;
  readonly lastReceivedAtMs: number | null;
  readonly oldestPendingAtMs: number | null;
  readonly deadEnvelopes: number;
  readonly deadOperations: number;
  /** Dead letters and dead-lettered operations by the contract's codes. */
  readonly failureCodes: Readonly<Record<string, number>>;
  readonly lastError: string | null;
  readonly paused: boolean;
  /** A refresh is under way. */
  readonly refreshing: boolean;
}

/** A provider of whom nothing is known is healthy (contract 2). */
export function syncOf(figures: ProviderSyncFigures, nowMs: number): ProviderSync {
  const lagSeconds = wholeSeconds(figures.oldestPendingAtMs, nowMs);
  return {
    provider: figures.provider,
    status: statusOf(figures, lagSeconds),
    cursor: figures.lastEnvelopeId,
    watermarkTs: figures.lastReceivedAtMs === null ? null : new Date(figures.lastReceivedAtMs).toISOString(),
    lagSeconds,
    lastError: figures.lastError,
    failureCodes: { ...figures.failureCodes },
    deadLetteredEnvelopes: figures.deadEnvelopes,
    deadLetteredOps: figures.deadOperations,
  };
}

function statusOf(figures: ProviderSyncFigures, lagSeconds: number): ProviderSync['status'] {
  if (figures.paused) return 'paused';
  if (figures.deadEnvelopes > 0 || figures.deadOperations > 0 || figures.lastError !== null) return 'error';
  if (lagSeconds > lagSecondsMax) return 'lagging';
  return figures.refreshing ? 'syncing' : 'healthy';
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
