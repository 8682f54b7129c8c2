// What is on its way to providers, as queries that stay fresh: live events ask for them again (services.ts), and they are
// read again by themselves, faster while something moves. What was last read stays while the agent does not answer.
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import type { MooringClient } from '../../sdk/index.ts';
import type { Operation } from '../../server/contract/operations.ts';
import type { Provider, ProviderSender } from '../../server/contract/providers.ts';
import type { ProviderSync } from '../../server/contract/sync.ts';
import type { OperationStatus } from '../../server/contract/words.ts';
import { useServices } from './services.ts';

const busyMs = 1_500;
const idleMs = 6_000;
/** Of one status; beyond it the list says that it is cut. */
const operationsMax = 2_000;
const pageOperations = 1_000;
/** Pages that are looked through for what was done today. */
const donePagesMax = 3;

export interface WorkspaceProviders {
  readonly workspaceId: string;
  readonly providers: readonly Provider[];
  /** They send webhooks and are not registered. */
  readonly senders: readonly ProviderSender[];
  readonly syncs: readonly ProviderSync[];
}

function providersQuery(client: MooringClient, workspaceId: string) {
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
      (query.state.data?.providers ?? []).some((each) => each.pending + each.running > 0) ? busyMs : idleMs,
  };
}

/** Providers of one workspace: registered ones, and how the sync of every known one is. null: no workspace. */
export function useProviders(workspaceId: string | null): UseQueryResult<WorkspaceProviders> {
  const { client } = useServices();
  return useQuery({ ...providersQuery(client, workspaceId ?? ''), enabled: workspaceId !== null });
}

/** Of all workspaces at once; those that are not read yet are left out. */
export function useAllProviders(workspaceIds: readonly string[]): {
  readonly known: readonly WorkspaceProviders[];
  readonly complete: boolean;
  readonly failed: unknown;
} {
  const { client } = useServices();
  return useQueries({
    queries: workspaceIds.map((workspaceId) => providersQuery(client, workspaceId)),
    combine: (results) => ({
      known: results.flatMap((result) => (result.data === undefined ? [] : [result.data])),
      complete: results.every((result) => result.data !== undefined),
      failed: results.find((result) => result.isError)?.error ?? null,
    }),
  });
}

export interface Outbound {
  /** Open ones, and those that were carried today. */
  readonly operations: readonly Operation[];
  /** Not all are here. */
  readonly cut: boolean;
}

export function useOutbound(workspaceId: string, moving: boolean): UseQueryResult<Outbound> {
  const { client } = useServices();
  return useQuery({
    queryKey: ['outbound', workspaceId, 'operations'],
    queryFn: async ({ signal }) => await readOutbound(client, workspaceId, signal),
    refetchInterval: moving ? busyMs : idleMs,
  });
}

async function readOutbound(
  client: MooringClient,
  workspaceId: string,
  signal: AbortSignal,
): Promise<Outbound> {
  const [waiting, done, ...open] = await Promise.all([
    client.listPendingWriteback(workspaceId, { signal }),
    readDone(client, workspaceId, signal),
    ...(['pending', 'running', 'failed', 'dead_lettered'] as const).map((status) =>
      readStatus(client, workspaceId, status, signal),
    ),
  ]);
  // A pending operation whose work a newer one does is not sent; the list of what waits leaves it out.
  const ids = new Set(waiting.map((item) => item.id));
  const listIsWhole = waiting.length < pageOperations;
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
  for await (const operation of client.operations(workspaceId, { status, limit: pageOperations, signal })) {
    if (operations.length >= operationsMax) return { operations, cut: true };
    operations.push(operation);
  }
  return { operations, cut: false };
}

/** Without an attempt nobody carried it: a write that no provider was registered for. */
async function readDone(client: MooringClient, workspaceId: string, signal: AbortSignal): Promise<Outbound> {
  const midnightMs = new Date().setHours(0, 0, 0, 0);
  const operations: Operation[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < donePagesMax; page += 1) {
    const read = await client.listOperations(workspaceId, {
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
