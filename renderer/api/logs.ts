// The log of the agent, newest first: a page, live entries every second, older pages on request. At most `entriesMax` are held.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { LogEntry, LogPage } from '../../sdk/index.ts';
import { type LogFilters, logQuery, minutesOf } from '../model/diagnosis/log-view.ts';
import type { RateMinute } from '../model/inbound/event-rate.ts';
import { describeError, useLink, useServices } from './services.ts';

const pageEntries = 200;
const entriesMax = 10_000;
const liveMs = 1_000;
const minutesMs = 5_000;

interface LoadedEntries {
  readonly state: 'reading' | 'ready' | 'failed';
  readonly error: string | null;
  readonly entries: readonly LogEntry[];
  readonly nextCursor: string | null;
  readonly newestId: string | null;
  readonly isReadingOlder: boolean;
}

export interface Log extends LoadedEntries {
  loadOlder(): void;
  reload(): void;
}

type Step =
  | { readonly kind: 'begin' }
  | { readonly kind: 'first' | 'live' | 'older'; readonly page: LogPage }
  | { readonly kind: 'reading older' }
  | { readonly kind: 'failed'; readonly error: string };

const nothing: LoadedEntries = {
  state: 'reading',
  error: null,
  entries: [],
  nextCursor: null,
  newestId: null,
  isReadingOlder: false,
};

function reduce(held: LoadedEntries, step: Step): LoadedEntries {
  switch (step.kind) {
    case 'begin':
      // The rows of the filters before stay until those of the new ones are there.
      return { ...held, state: 'reading', newestId: null, nextCursor: null };
    case 'reading older':
      return { ...held, isReadingOlder: true };
    case 'failed': {
      const state = held.state === 'ready' ? 'ready' : 'failed';
      return { ...held, state, error: step.error, isReadingOlder: false };
    }
    case 'first': {
      const { entries, nextCursor, newestId } = step.page;
      return { ...nothing, state: 'ready', entries, nextCursor, newestId };
    }
    case 'live':
      return withNewer(held, step.page);
    case 'older':
      return {
        ...held,
        error: null,
        isReadingOlder: false,
        entries: [...held.entries, ...step.page.entries].slice(0, entriesMax),
        nextCursor: step.page.nextCursor,
      };
  }
}

/** An incomplete page has a gap before it: it replaces what is held. */
function withNewer(held: LoadedEntries, page: LogPage): LoadedEntries {
  const newestId = page.newestId ?? held.newestId;
  if (!page.complete)
    return { ...nothing, state: 'ready', entries: page.entries, nextCursor: page.nextCursor, newestId };
  const ready = { ...held, state: 'ready', error: null, newestId } as const;
  if (page.entries.length === 0) return held.error === null && newestId === held.newestId ? held : ready;
  const entries = [...page.entries, ...held.entries];
  const cut = entries.slice(0, entriesMax);
  // What was cut can be loaded again.
  return {
    ...ready,
    entries: cut,
    nextCursor: cut.length < entries.length ? (cut.at(-1)?.id ?? null) : held.nextCursor,
  };
}

export function useLog(filters: LogFilters): Log {
  const { client } = useServices();
  const { phase } = useLink();
  const [held, step] = useReducer(reduce, nothing);
  const stop = useRef(new AbortController());
  const query = JSON.stringify(logQuery(filters));

  const read = useCallback(
    async (
      kind: 'first' | 'live' | 'older',
      place: { readonly cursor?: string; readonly after?: string },
    ) => {
      const { signal } = stop.current;
      const request = { ...(JSON.parse(query) as object), ...place, limit: pageEntries, signal };
      try {
        const page = await client.agent.logs(request);
        if (!signal.aborted) step({ kind, page });
      } catch (error) {
        if (!signal.aborted) step({ kind: 'failed', error: describeError(error) });
      }
    },
    [client, query],
  );

  useEffect(() => {
    stop.current = new AbortController();
    step({ kind: 'begin' });
    void read('first', {});
    const { current } = stop;
    return () => current.abort();
  }, [read]);

  const { state, newestId, nextCursor } = held;
  useEffect(() => {
    if (phase !== 'online' || state === 'reading') return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return;
      void (newestId === null ? read('first', {}) : read('live', { after: newestId }));
    }, liveMs);
    return () => clearInterval(timer);
  }, [phase, state, newestId, read]);

  return {
    ...held,
    loadOlder: () => {
      if (held.isReadingOlder || nextCursor === null) return;
      step({ kind: 'reading older' });
      void read('older', { cursor: nextCursor });
    },
    reload: () => void read('first', {}),
  };
}

/** Entries of each of the last 60 minutes, whatever range is selected. Empty: not known yet. */
export function useLogMinutes(filters: LogFilters): readonly RateMinute[] {
  const { client } = useServices();
  const query = logQuery({ ...filters, range: null });
  const { data } = useQuery({
    queryKey: ['log', 'minutes', query],
    queryFn: async ({ signal }) => await client.agent.logMinutes({ ...query, signal }),
    refetchInterval: minutesMs,
  });
  return minutesOf(data?.minutes ?? []);
}
