// Operations and providers as labels, groups and counts. Pure.
import type { Operation } from '../../../server/contract/operations.ts';
import type { Provider, ProviderSender, ProviderState } from '../../../server/contract/providers.ts';
import type { ProviderSync } from '../../../server/contract/sync.ts';
import { count, duration } from '../format.ts';
import { parseId } from '../ids.ts';
import type { StatusView } from '../mirror/mirror-view.ts';
import { compareTexts } from '../tables/sorting.ts';

export const outboundFilters = ['all', 'pending', 'running', 'failed', 'done'] as const;
export type OutboundFilter = (typeof outboundFilters)[number];
export const filterNames: Record<OutboundFilter, string> = {
  all: 'All',
  pending: 'Pending',
  running: 'Running',
  failed: 'Failed',
  done: 'Done today',
};

/** Pending after a failed attempt. */
export function isRetrying(operation: Operation): boolean {
  return (
    operation.status === 'failed' ||
    (operation.status === 'pending' && operation.attemptCount > 0 && operation.nextAttemptAt != null)
  );
}

/** An open circuit of the provider delays its operations as well. null: no attempt is planned. */
export function nextAttemptOf(
  { nextAttemptAt }: Pick<Operation, 'nextAttemptAt'>,
  provider: Pick<Provider, 'retryAt'> | null,
): string | null {
  const circuitUntil = provider?.retryAt;
  if (nextAttemptAt == null || circuitUntil === undefined) return nextAttemptAt ?? circuitUntil ?? null;
  return Date.parse(nextAttemptAt) > Date.parse(circuitUntil) ? nextAttemptAt : circuitUntil;
}

export function operationStatus(operation: Operation): StatusView {
  if (isRetrying(operation)) return { kind: 'warn', word: 'Retrying' };
  switch (operation.status) {
    case 'running':
      return { kind: 'active', word: 'Running' };
    case 'succeeded':
      return { kind: 'ok', word: 'Succeeded' };
    case 'dead_lettered':
      return { kind: 'failed', word: 'Dead-lettered' };
    case 'canceled':
      return { kind: 'paused', word: 'Canceled' };
    default:
      return { kind: 'waiting', word: 'Pending' };
  }
}

export function passesFilter(operation: Operation, filter: OutboundFilter): boolean {
  switch (filter) {
    case 'all':
      return operation.status !== 'succeeded' && operation.status !== 'canceled';
    case 'pending':
      return operation.status === 'pending' && !isRetrying(operation);
    case 'running':
      return operation.status === 'running';
    case 'failed':
      return isRetrying(operation) || operation.status === 'dead_lettered';
    case 'done':
      return operation.status === 'succeeded';
  }
}

const stateViews: Readonly<Record<ProviderState, StatusView>> = {
  healthy: { kind: 'ok', word: 'Healthy' },
  syncing: { kind: 'active', word: 'Refreshing' },
  lagging: { kind: 'warn', word: 'Lagging' },
  error: { kind: 'failed', word: 'Error' },
  paused: { kind: 'paused', word: 'Paused' },
};

/** null: not registered. */
export function providerStatus(provider: Pick<Provider, 'state'> | null): StatusView {
  return provider === null ? { kind: 'offline', word: 'Not registered' } : stateViews[provider.state];
}

/** A sender receives nothing, so it is never in error: only its inbound events can need attention. */
export function senderStatus({ state }: Pick<ProviderSender, 'state'>): StatusView {
  return { kind: state === 'healthy' ? 'ok' : 'warn', word: 'Inbound only' };
}

export interface OutboundGroup {
  readonly name: string;
  readonly provider: Provider | null;
  readonly operations: readonly Operation[];
}

/** Every registered provider has a group, even an empty one; a group is in the order of sending. */
export function outboundGroups(
  operations: readonly Operation[],
  providers: readonly Provider[],
): readonly OutboundGroup[] {
  const names = new Set([...providers.map((each) => each.provider), ...operations.map(providerOf)]);
  return [...names].sort(compareTexts).map((name) => ({
    name,
    provider: providers.find((each) => each.provider === name) ?? null,
    operations: operations
      .filter((operation) => providerOf(operation) === name)
      .sort((a, b) => operationRank(a) - operationRank(b) || parseId(a.opId, 'op') - parseId(b.opId, 'op')),
  }));
}

/** A provider is a top-level directory; for a file in none, the API sends the file's own name. */
export function providerOf({ provider, path }: Pick<Operation, 'provider' | 'path'>): string {
  return provider === undefined || path === `/${provider}` ? '' : provider;
}

/** Dead-lettered, running, retrying, pending, finished. */
export function operationRank(operation: Operation): number {
  if (operation.status === 'dead_lettered') return 0;
  if (operation.status === 'running') return 1;
  if (isRetrying(operation)) return 2;
  return operation.status === 'pending' ? 3 : 4;
}

/** `6 pending · 1 running · 2 dead-lettered`, without zeros. */
export function groupCounts(provider: Provider): string {
  const counts = [
    [provider.pending, 'pending'],
    [provider.running, 'running'],
    [provider.deadLettered, 'dead-lettered'],
  ] as const;
  const shown = counts.filter(([value]) => value > 0).map(([value, word]) => `${count(value)} ${word}`);
  return shown.length === 0 ? 'no operations' : shown.join(' · ');
}

/** null: the circuit is closed, or the provider is paused. */
export function circuitNote(
  { state, circuit, retryAt }: Pick<Provider, 'state' | 'circuit' | 'retryAt'>,
  nowMs: number,
): string | null {
  if (circuit === 'closed' || state === 'paused') return null;
  if (circuit === 'half_open') return 'Circuit half-open: testing with one request';
  const leftMs = retryAt === undefined ? 0 : Date.parse(retryAt) - nowMs;
  return `Circuit open: next attempt ${leftMs > 0 ? `in ${duration(leftMs)}` : 'now'}`;
}

/** Dead-lettered operations outlive their provider: for unregistered ones the sync status has the count. */
export function deadLetteredCount(providers: readonly Provider[], syncs: readonly ProviderSync[]): number {
  const names = new Set(providers.map((each) => each.provider));
  const others = syncs.filter((each) => !names.has(each.provider));
  return (
    providers.reduce((sum, each) => sum + each.deadLettered, 0) +
    others.reduce((sum, each) => sum + (each.deadLetteredOps ?? 0), 0)
  );
}

/** Pending, running and dead-lettered operations, for the navigation. */
export function pendingOperationCount(
  providers: readonly Provider[],
  syncs: readonly ProviderSync[],
): number {
  const active = providers.reduce((sum, each) => sum + each.pending + each.running, 0);
  return active + deadLetteredCount(providers, syncs);
}
