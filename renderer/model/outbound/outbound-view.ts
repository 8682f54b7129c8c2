// What is on its way to providers, in words, groups and figures. Pure. The words are those of DESIGN.md, section 5.
import type { Operation } from '../../../server/contract/operations.ts';
import type { Provider, ProviderSender, ProviderState } from '../../../server/contract/providers.ts';
import type { ProviderSync } from '../../../server/contract/sync.ts';
import { duration, plural } from '../format.ts';
import type { StatusView } from '../mirror/mirror-view.ts';

export const outboundFilters = ['all', 'pending', 'running', 'failed', 'done'] as const;
export type OutboundFilter = (typeof outboundFilters)[number];
export const filterNames: Record<OutboundFilter, string> = {
  all: 'All',
  pending: 'Pending',
  running: 'Running',
  failed: 'Failed',
  done: 'Done today',
};

/** Pending, and an attempt has failed already. */
export function isRetrying(operation: Operation): boolean {
  return (
    operation.status === 'failed' ||
    (operation.status === 'pending' && operation.attemptCount > 0 && operation.nextAttemptAt != null)
  );
}

/** When it is tried again: a provider that is left alone for a while holds back its items, too. null: not planned. */
export function nextAttemptOf(
  { nextAttemptAt }: Pick<Operation, 'nextAttemptAt'>,
  provider: Pick<Provider, 'retryAt'> | null,
): string | null {
  const held = provider?.retryAt;
  if (nextAttemptAt == null || held === undefined) return nextAttemptAt ?? held ?? null;
  return Date.parse(nextAttemptAt) > Date.parse(held) ? nextAttemptAt : held;
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

/** The state is the agent's own; null: it is not registered. */
export function providerStatus(provider: Pick<Provider, 'state'> | null): StatusView {
  return provider === null ? { kind: 'offline', word: 'Not registered' } : stateViews[provider.state];
}

/** Nothing is sent to it, so it is no provider in error: what came from it may need a person. */
export function senderStatus({ state }: Pick<ProviderSender, 'state'>): StatusView {
  return { kind: state === 'healthy' ? 'ok' : 'warn', word: 'Inbound' };
}

export interface OutboundGroup {
  readonly name: string;
  readonly provider: Provider | null;
  readonly operations: readonly Operation[];
}

/** Every registered provider has its group, also while nothing waits; within one, the order of sending. */
export function outboundGroups(
  operations: readonly Operation[],
  providers: readonly Provider[],
): readonly OutboundGroup[] {
  const names = new Set([...providers.map((each) => each.provider), ...operations.map(providerOf)]);
  return [...names]
    .sort((a, b) => a.localeCompare(b, 'en'))
    .map((name) => ({
      name,
      provider: providers.find((each) => each.provider === name) ?? null,
      operations: operations
        .filter((operation) => providerOf(operation) === name)
        .sort((a, b) => rank(a) - rank(b) || numberOf(a) - numberOf(b)),
    }));
}

/** A provider is the top folder; of a file that lies in none, the API says its own name. */
export function providerOf({ provider, path }: Pick<Operation, 'provider' | 'path'>): string {
  return provider === undefined || path === `/${provider}` ? '' : provider;
}

/** What needs somebody, then what moves, then what waits, then what is over. */
function rank(operation: Operation): number {
  if (operation.status === 'dead_lettered') return 0;
  if (operation.status === 'running') return 1;
  if (isRetrying(operation)) return 2;
  return operation.status === 'pending' ? 3 : 4;
}

function numberOf(operation: Operation): number {
  return Number(operation.opId.replace(/^op_/, '')) || 0;
}

/** `6 pending · 1 running · 2 dead-lettered`, without what is zero. */
export function groupCounts(provider: Provider): string {
  const parts = [
    [provider.pending, 'pending'],
    [provider.running, 'running'],
    [provider.deadLettered, 'dead-lettered'],
  ] as const;
  const shown = parts.filter(([figure]) => figure > 0).map(([figure, word]) => plural(figure, word, word));
  return shown.length === 0 ? 'nothing waits' : shown.join(' · ');
}

/** How long a provider is left alone after failures in a row. null: it is called as always, or not at all. */
export function circuitNote(
  { state, circuit, retryAt }: Pick<Provider, 'state' | 'circuit' | 'retryAt'>,
  nowMs: number,
): string | null {
  if (circuit === 'closed' || state === 'paused') return null;
  if (circuit === 'half_open') return 'Circuit half-open: one call finds out';
  const leftMs = retryAt === undefined ? 0 : Date.parse(retryAt) - nowMs;
  return `Circuit open: next call ${leftMs > 0 ? `in ${duration(leftMs)}` : 'any moment'}`;
}

/** What failed for good stays open when its provider is removed: of those that are not registered, their sync knows. */
export function deadLetteredCount(providers: readonly Provider[], syncs: readonly ProviderSync[]): number {
  const names = new Set(providers.map((each) => each.provider));
  const others = syncs.filter((each) => !names.has(each.provider));
  return (
    providers.reduce((sum, each) => sum + each.deadLettered, 0) +
    others.reduce((sum, each) => sum + (each.deadLetteredOps ?? 0), 0)
  );
}

/** What the navigation counts. */
export function pendingOperationCount(
  providers: readonly Provider[],
  syncs: readonly ProviderSync[],
): number {
  const moving = providers.reduce((sum, each) => sum + each.pending + each.running, 0);
  return moving + deadLetteredCount(providers, syncs);
}
