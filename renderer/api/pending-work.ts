// Pending work by workspace, for Overview and the navigation: dead letters (one request for all workspaces), conflicts (in the
// status), operations (of the providers).
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AdminIngress, MooringClient } from '../../sdk/index.ts';
import type { FailureCounts } from '../model/mirror/mirror-view.ts';
import { deadLetteredCount, pendingOperationCount } from '../model/outbound/outbound-view.ts';
import { providersQuery, useAllProviders, type WorkspaceProviders } from './outbound.ts';
import { type Services, useServices, useStatus } from './services.ts';
import { useIsOwner } from './viewer.ts';

const ingressMs = 5_000;

/** Numbers by workspace id; zero may be absent. */
export type PendingWork = ReadonlyMap<string, number>;

function ingressQuery(client: MooringClient) {
  return {
    queryKey: ['ingress', 'all'],
    queryFn: async () => await client.sync.admin.ingress({ includeAlerts: false }),
    refetchInterval: ingressMs,
    staleTime: ingressMs,
  };
}

/** Of the owner alone: it is of all workspaces. `enabled`: false sends no request. */
export function useAllIngress(enabled = true): UseQueryResult<AdminIngress> {
  const { client } = useServices();
  const isOwner = useIsOwner();
  return useQuery({ ...ingressQuery(client), enabled: enabled && isOwner });
}

/** Asks for the failures of all workspaces when the first status has come, and not after it is shown. */
export function preloadFailures({ client, link, queries }: Services): void {
  const end = link.state.subscribe(() => {
    const { status, viewer } = link.state.get();
    if (status === null) return;
    end();
    if (viewer?.owner !== true) return;
    void queries.prefetchQuery(ingressQuery(client));
    for (const { workspaceId } of status.workspaces)
      void queries.prefetchQuery(providersQuery(client, workspaceId));
  });
}

export function useAllDeadLetters(enabled = true): PendingWork {
  const { data } = useAllIngress(enabled);
  return new Map(Object.entries(data?.workspaces ?? {}).map(([id, each]) => [id, each.deadLetterTotal]));
}

export function useAllConflicts(): PendingWork {
  const status = useStatus();
  const open = new Map<string, number>();
  for (const { workspaceId, conflicts } of [...(status?.mirrors ?? []), ...(status?.remotes ?? [])]) {
    open.set(workspaceId, (open.get(workspaceId) ?? 0) + conflicts);
  }
  return open;
}

/** Pending, running, retrying and dead-lettered operations of one workspace, or with null of all. */
export function usePendingOperations(workspaceId: string | null): PendingWork {
  const all = (useStatus()?.workspaces ?? []).map((workspace) => workspace.workspaceId);
  const { known } = useAllProviders(workspaceId === null ? all : [workspaceId]);
  return new Map(
    known.map(({ workspaceId, providers, syncs }) => [workspaceId, pendingOperationCount(providers, syncs)]),
  );
}

export function totalOf(open: PendingWork): number {
  return [...open.values()].reduce((total, each) => total + each, 0);
}

/** The workspace with the highest number; null: all are zero. */
export function workspaceWithMost(open: PendingWork): string | null {
  const [most] = [...open].filter(([, value]) => value > 0).sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

/** Of all workspaces. */
export function useFailureCounts(): FailureCounts {
  const { known } = useAllProviders((useStatus()?.workspaces ?? []).map(({ workspaceId }) => workspaceId));
  return { deadLetters: totalOf(useAllDeadLetters()), failedOperations: totalOf(failedByWorkspace(known)) };
}

export function failedByWorkspace(known: readonly WorkspaceProviders[]): PendingWork {
  return new Map(
    known.map(({ workspaceId, providers, syncs }) => [workspaceId, deadLetteredCount(providers, syncs)]),
  );
}
