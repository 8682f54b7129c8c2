// Queries of providers and operations. They refetch on live events and periodically, faster while operations are pending. The
// last data stays while the agent is not responding.
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import type { MooringClient } from '../../sdk/index.ts';
import type { Operation } from '../../server/contract/operations.ts';
import type { Provider, ProviderSender } from '../../server/contract/providers.ts';
import type { ProviderSync } from '../../server/contract/sync.ts';
import type { OperationStatus } from '../../server/contract/words.ts';
import { pollOfEachMs } from './changed-lists.ts';
import { useServices } from './services.ts';
import { useIsOwner } from './viewer.ts';

const busyMs = 1_500;
const idleMs = 6_000;
/** Limit per status; a longer list is marked as cut. */
const operationsMax = 2_000;
const pageOperations = 1_000;
/** Limit of pages scanned for the operations succeeded today. */
const donePagesMax = 3;

export interface WorkspaceProviders {
  readonly workspaceId: string;
  readonly providers: readonly Provider[];
  /** Unregistered senders of webhooks. */
  readonly senders: readonly ProviderSender[];
  readonly syncs: readonly ProviderSync[];
}

/** `workspaces`: how many are polled together. */
export function providersQuery(client: MooringClient, workspaceId: string, workspaces = 1) {
  return {
    queryKey: ['outbound', workspaceId, 'providers'],
    queryFn: async (): Promise<WorkspaceProviders> => {
      const [{ providers, senders }, sync] = await Promise.all([
        client.providers.withSenders(workspaceId),
        client.sync.status(workspaceId),
      ]);
      return { workspaceId, providers, senders, syncs: sync.providers };
    },
    refetchInterval: (query: { state: { data: WorkspaceProviders | undefined } }) =>
      (query.state.data?.providers ?? []).some((each) => each.pending + each.running > 0)
        ? busyMs
        : pollOfEachMs(workspaces, idleMs),
    // For many workspaces these are many requests: a screen that is opened again within one poll interval sends none.
    staleTime: pollOfEachMs(workspaces, idleMs),
  };
}

/** Registered providers of one workspace, and the sync status of every known one; the owner alone sees them. null: no workspace. */
export function useProviders(workspaceId: string | null): UseQueryResult<WorkspaceProviders> {
  const { client } = useServices();
  const isOwner = useIsOwner();
  return useQuery({ ...providersQuery(client, workspaceId ?? ''), enabled: workspaceId !== null && isOwner });
}

/** Of all workspaces; those that have not loaded yet are absent. */
export function useAllProviders(workspaceIds: readonly string[]): {
  readonly known: readonly WorkspaceProviders[];
  readonly complete: boolean;
  readonly failed: unknown;
} {
  const { client } = useServices();
  const isOwner = useIsOwner();
  return useQueries({
    queries: (isOwner ? workspaceIds : []).map((workspaceId) =>
      providersQuery(client, workspaceId, workspaceIds.length),
    ),
    combine: (results) => ({
      known: results.flatMap((result) => (result.data === undefined ? [] : [result.data])),
      complete: results.every((result) => result.data !== undefined),
      failed: results.find((result) => result.isError)?.error ?? null,
    }),
  });
}

export interface Outbound {
  /** Unfinished operations, and those succeeded today. */
  readonly operations: readonly Operation[];
  /** The list is incomplete. */
  readonly cut: boolean;
}

export function useOutbound(workspaceId: string, isBusy: boolean): UseQueryResult<Outbound> {
  const { client } = useServices();
  return useQuery({
    queryKey: ['outbound', workspaceId, 'operations'],
    queryFn: async ({ signal }) => await readOutbound(client, workspaceId, signal),
    refetchInterval: isBusy ? busyMs : idleMs,
  });
}

async function readOutbound(
  client: MooringClient,
  workspaceId: string,
  signal: AbortSignal,
): Promise<Outbound> {
  const [queued, done, ...open] = await Promise.all([
    client.writeback.pending(workspaceId, { signal }),
    readDone(client, workspaceId, signal),
    ...(['pending', 'running', 'failed', 'dead_lettered'] as const).map((status) =>
      readStatus(client, workspaceId, status, signal),
    ),
  ]);
  // A superseded operation is still pending but not sent; the writeback queue omits it.
  const ids = new Set(queued.map((item) => item.id));
  const listIsWhole = queued.length < pageOperations;
  const operations = open
    .flatMap((page) => page.operations)
    .filter((each) => each.status !== 'pending' || !listIsWhole || ids.has(each.opId));
  const byId = new Map([...operations, ...done.operations].map((each) => [each.opId, each]));
  return { operations: [...byId.values()], cut: done.cut || open.some((page) => page.cut) };
}

async function readStatus(
  client: MooringClient,
  workspaceId: string,
  status: OperationStatus,
  signal: AbortSignal,
): Promise<Outbound> {
  const operations: Operation[] = [];
  for await (const operation of client.operations.all(workspaceId, {
    status,
    limit: pageOperations,
    signal,
  })) {
    if (operations.length >= operationsMax) return { operations, cut: true };
    operations.push(operation);
  }
  return { operations, cut: false };
}

/** Operations without an attempt are excluded: no provider was registered for them. */
async function readDone(client: MooringClient, workspaceId: string, signal: AbortSignal): Promise<Outbound> {
  const midnightMs = new Date().setHours(0, 0, 0, 0);
  const operations: Operation[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < donePagesMax; page += 1) {
    const read = await client.operations.list(workspaceId, {
      status: 'succeeded',
      limit: pageOperations,
      signal,
      ...(cursor === null ? {} : { cursor }),
    });
    operations.push(
      ...read.items.filter(
        (each) => each.attemptCount > 0 && Date.parse(each.completedAt ?? each.updatedAt) >= midnightMs,
      ),
    );
    const oldest = read.items.at(-1);
    if (read.nextCursor === null || oldest === undefined) return { operations, cut: false };
    if (Date.parse(oldest.createdAt) < midnightMs) return { operations, cut: false };
    cursor = read.nextCursor;
  }
  return { operations, cut: true };
}
