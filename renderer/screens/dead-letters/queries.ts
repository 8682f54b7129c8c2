// What Dead letters reads of the agent.
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { DeadLetter, DeadLetterDetail, IngressStatus, MooringClient } from '../../../sdk/index.ts';
import { type PendingWork, useAllDeadLetters } from '../../api/pending-work.ts';
import { useServices } from '../../api/services.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';
import type { DeadLettersLocation } from './location.ts';
import { PathReader } from './path-reader.ts';

const pollMs = 5_000;
const perPage = 1_000;
/** Letters that are held at once; beyond it, filters find the rest. */
export const deadLettersMax = 5_000;

/** Every query of this screen begins with this. */
export function deadLettersKey(workspaceId: string): readonly string[] {
  return ['dead-letters', workspaceId];
}

export interface DeadLetterPage {
  readonly items: readonly DeadLetter[];
  /** There are more than were read. */
  readonly more: boolean;
}

export function useDeadLetters(
  workspaceId: string,
  { provider, cause, text }: Pick<DeadLettersLocation, 'provider' | 'cause' | 'text'>,
): UseQueryResult<DeadLetterPage> {
  const { client } = useServices();
  const filter = {
    ...(provider === null ? {} : { provider }),
    ...(cause === null ? {} : { cause }),
    ...(text.trim() === '' ? {} : { text: text.trim() }),
  };
  useLiveRefresh(workspaceId, deadLettersKey(workspaceId));
  return useQuery({
    queryKey: [...deadLettersKey(workspaceId), 'list', filter],
    queryFn: async ({ signal }) => {
      const items: DeadLetter[] = [];
      let cursor: string | null = null;
      do {
        const page = await client.sync.deadLetters.list(workspaceId, {
          ...filter,
          limit: perPage,
          signal,
          ...(cursor === null ? {} : { cursor }),
        });
        items.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null && items.length < deadLettersMax);
      return { items, more: cursor !== null };
    },
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
    gcTime: 60_000,
  });
}

/** Counters of what came in, also for the number in the navigation. */
export function useIngress(workspaceId: string | null): UseQueryResult<IngressStatus> {
  const { client } = useServices();
  return useQuery({
    queryKey: [...deadLettersKey(workspaceId ?? ''), 'ingress'],
    queryFn: async ({ signal }) => await client.sync.ingress(workspaceId ?? '', { signal }),
    enabled: workspaceId !== null,
    refetchInterval: pollMs,
  });
}

export function useDeadLetter(workspaceId: string, envelopeId: string): UseQueryResult<DeadLetterDetail> {
  const { client } = useServices();
  return useQuery({
    queryKey: [...deadLettersKey(workspaceId), 'detail', envelopeId],
    queryFn: async ({ signal }) => await client.sync.deadLetters.detail(workspaceId, envelopeId, { signal }),
    refetchInterval: pollMs,
    gcTime: 30_000,
  });
}

const readers = new WeakMap<MooringClient, Map<string, PathReader>>();

function readerOf(client: MooringClient, workspaceId: string): PathReader {
  const ofClient = readers.get(client) ?? new Map<string, PathReader>();
  readers.set(client, ofClient);
  const reader = ofClient.get(workspaceId) ?? new PathReader(client, workspaceId);
  ofClient.set(workspaceId, reader);
  return reader;
}

/** A row of the list has no path; it is read for the rows in sight, once per failure. null: the payload names none. */
export function useDeadLetterPath(workspaceId: string, letter: DeadLetter): UseQueryResult<string | null> {
  const { client } = useServices();
  return useQuery({
    queryKey: ['dead-letter-path', workspaceId, letter.envelopeId, letter.failedAt],
    queryFn: async ({ signal }) => {
      // Only one that was tried again can have been given another path.
      if (letter.attemptCount === 1) return await readerOf(client, workspaceId).read(letter.envelopeId);
      const detail = await client.sync.deadLetters.detail(workspaceId, letter.envelopeId, { signal });
      return pathOf(detail.editedPayload ?? detail.payload);
    },
  });
}

export function pathOf(payload: Readonly<Record<string, unknown>> | undefined): string | null {
  const path = payload?.path;
  return typeof path === 'string' ? path : null;
}

/** What the navigation counts. */
export function useOpenLetters(workspaceId: string | null): PendingWork {
  const { data } = useIngress(workspaceId);
  const all = useAllDeadLetters(workspaceId === null);
  if (workspaceId === null) return all;
  return new Map(data === undefined ? [] : [[workspaceId, data.deadLetterTotal]]);
}
