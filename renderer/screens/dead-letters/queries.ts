// Queries of the Dead letters screen, and the paths of its rows.
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { DeadLetter, DeadLetterDetail, IngressStatus, MooringClient } from '../../../sdk/index.ts';
import { type PendingWork, useAllDeadLetters } from '../../api/pending-work.ts';
import { useServices } from '../../api/services.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';
import type { DeadLettersLocation } from './location.ts';

const pollMs = 5_000;
const perPage = 1_000;
/** Maximum that is loaded; filters find others. */
export const deadLettersMax = 5_000;

/** The prefix of every query key of this screen. */
export function deadLettersKey(workspaceId: string): readonly string[] {
  return ['dead-letters', workspaceId];
}

export interface DeadLetterPage {
  readonly items: readonly DeadLetter[];
  /** More exist than were loaded. */
  readonly hasMore: boolean;
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
      return { items, hasMore: cursor !== null };
    },
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
    gcTime: 60_000,
  });
}

/** Counters of inbound events, also for the count in the navigation. */
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

/** A list row has no path; it is loaded for visible rows, once per failure. null: no path in the payload. */
export function useDeadLetterPath(
  workspaceId: string,
  deadLetter: DeadLetter,
): UseQueryResult<string | null> {
  const { client } = useServices();
  return useQuery({
    queryKey: ['dead-letter-path', workspaceId, deadLetter.envelopeId, deadLetter.failedAt],
    queryFn: async ({ signal }) => {
      // An edit before a replay may have changed the path.
      if (deadLetter.attemptCount === 1)
        return await readerOf(client, workspaceId).read(deadLetter.envelopeId);
      const detail = await client.sync.deadLetters.detail(workspaceId, deadLetter.envelopeId, { signal });
      return pathOf(detail.editedPayload ?? detail.payload);
    },
  });
}

export function pathOf(payload: Readonly<Record<string, unknown>> | undefined): string | null {
  const path = payload?.path;
  return typeof path === 'string' ? path : null;
}

/** Counts for the navigation. */
export function useDeadLetterCounts(workspaceId: string | null): PendingWork {
  const { data } = useIngress(workspaceId);
  const all = useAllDeadLetters(workspaceId === null);
  if (workspaceId === null) return all;
  return new Map(data === undefined ? [] : [[workspaceId, data.deadLetterTotal]]);
}

interface Waiting {
  readonly resolve: (path: string | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum of the agent per request. */
const idsPerRequest = 1_000;

export class PathReader {
  readonly #client: MooringClient;
  readonly #workspaceId: string;
  #waiting = new Map<string, Waiting[]>();

  constructor(client: MooringClient, workspaceId: string) {
    this.#client = client;
    this.#workspaceId = workspaceId;
  }

  /** null: no path in the payload, or no longer a dead letter. */
  read(envelopeId: string): Promise<string | null> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) queueMicrotask(() => void this.#load());
      this.#waiting.set(envelopeId, [...(this.#waiting.get(envelopeId) ?? []), { resolve, reject }]);
    });
  }

  async #load(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting = new Map();
    for (let from = 0; from < waiting.length; from += idsPerRequest) {
      await this.#loadPage(waiting.slice(from, from + idsPerRequest));
    }
  }

  async #loadPage(page: readonly (readonly [string, readonly Waiting[]])[]): Promise<void> {
    const envelopeIds = page.map(([id]) => id);
    try {
      const { results } = await this.#client.sync.deadLetters.replayMany(this.#workspaceId, {
        filter: { envelopeIds },
        dryRun: true,
      });
      const paths = new Map(results.map(({ envelopeId, path }) => [envelopeId, path ?? null]));
      for (const [id, waiting] of page) for (const each of waiting) each.resolve(paths.get(id) ?? null);
    } catch (error) {
      for (const [, waiting] of page) for (const each of waiting) each.reject(error);
    }
  }
}
