// The queries of Operations.
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import type {
  Operation,
  OperationPage,
  OperationSteps,
  ReplayOf,
  WritebackPreview,
} from '../../../sdk/index.ts';
import { useServices } from '../../api/services.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';
import { type OperationFilter, wireStatus } from '../../model/outbound/operation-view.ts';

const pollMs = 5_000;
const openPollMs = 1_000;
const perPage = 200;
/** A longer list is not refetched periodically. */
const livePagesMax = 4;
export function operationsKey(workspaceId: string): readonly string[] {
  return ['operations', workspaceId];
}

export interface OperationsQuery {
  readonly filter: OperationFilter;
  readonly action: string;
  readonly provider: string;
  /** In the path, or the id. */
  readonly text: string;
  /** Also saves that no provider needs. */
  readonly isAll: boolean;
}

/** The filters name what they show; without them plain saves are hidden. */
export function hidesPlainSaves({ filter, action, provider, text, isAll }: OperationsQuery): boolean {
  return !isAll && filter === 'all' && action === '' && provider === '' && text === '';
}

export function useOperations(
  workspaceId: string,
  shown: OperationsQuery,
): UseInfiniteQueryResult<InfiniteData<OperationPage>> {
  const { client } = useServices();
  const { filter, action, provider, text } = shown;
  const status = wireStatus(filter);
  const registered = hidesPlainSaves(shown);
  const query = useInfiniteQuery({
    queryKey: [...operationsKey(workspaceId), 'list', status ?? '', action, provider, text, registered],
    queryFn: async ({ pageParam, signal }) =>
      await client.operations.list(workspaceId, {
        limit: perPage,
        signal,
        ...(registered ? { registered } : {}),
        ...(status === undefined ? {} : { status }),
        ...(action === '' ? {} : { action }),
        ...(provider === '' ? {} : { provider }),
        ...(text === '' ? {} : { text }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > livePagesMax ? false : pollMs),
    gcTime: 60_000,
  });
  const isLong = (query.data?.pages.length ?? 0) > livePagesMax;
  useLiveRefresh(workspaceId, isLong ? [...operationsKey(workspaceId), 'one'] : operationsKey(workspaceId));
  return query;
}

export interface DeadLettered {
  /** The operations that a bulk replay includes, oldest first. */
  readonly items: readonly { readonly opId: string }[];
  readonly more: boolean;
}

/** The oldest dead-lettered operations, up to the limit of a bulk replay. */
export function useDeadLettered(workspaceId: string): UseQueryResult<DeadLettered> {
  const { client } = useServices();
  return useQuery({
    queryKey: [...operationsKey(workspaceId), 'one', 'dead-lettered'],
    queryFn: async ({ signal }) => {
      const { results, more } = await client.operations.replayMany(workspaceId, { dryRun: true }, { signal });
      return { items: results, more };
    },
    refetchInterval: pollMs,
  });
}

export interface OperationWithSteps {
  readonly operation: Operation;
  readonly steps: OperationSteps;
}

export function useOperation(workspaceId: string, opId: string): UseQueryResult<OperationWithSteps> {
  const { client } = useServices();
  return useQuery({
    queryKey: [...operationsKey(workspaceId), 'one', opId, 'steps'],
    queryFn: async ({ signal }) => {
      const [operation, steps] = await Promise.all([
        client.operations.get(workspaceId, opId, { signal }),
        client.operations.steps(workspaceId, opId, { signal }),
      ]);
      return { operation, steps };
    },
    refetchInterval: ({ state }) => {
      const status = state.data?.operation.status;
      return status === 'pending' || status === 'running' ? openPollMs : pollMs;
    },
    gcTime: 30_000,
  });
}

export function useReplayPreview(
  workspaceId: string,
  opId: string,
  send: ReplayOf,
): UseQueryResult<WritebackPreview> {
  const { client } = useServices();
  return useQuery({
    queryKey: [...operationsKey(workspaceId), 'one', opId, 'preview', send],
    queryFn: async ({ signal }) => await client.operations.previewReplay(workspaceId, opId, { send, signal }),
    gcTime: 0,
  });
}
