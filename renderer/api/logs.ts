// The log of the agent, newest first: a page, live entries every second, older pages on request.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { LogPage } from '../../sdk/index.ts';
import { afterStep, type LoadedEntries, type LogStep, noEntries } from '../model/diagnosis/log-entries.ts';
import { type LogFilters, logQuery, minutesOf } from '../model/diagnosis/log-view.ts';
import type { RateMinute } from '../model/inbound/event-rate.ts';
import { describeError, useLink, useServices } from './services.ts';

const pageEntries = 200;
const liveMs = 1_000;
const minutesMs = 5_000;

export interface Log extends LoadedEntries {
  loadOlder(): void;
  reload(): void;
}

export function useLog(filters: LogFilters): Log {
  const { client } = useServices();
  const { phase } = useLink();
  const [held, step] = useReducer(afterStep, noEntries);
  const stop = useRef(new AbortController());
  const query = JSON.stringify(logQuery(filters));

  const read = useCallback(
    async (
      place: { readonly cursor?: string; readonly after?: string },
      stepOf: (page: LogPage) => LogStep,
    ) => {
      const { signal } = stop.current;
      const request = { ...(JSON.parse(query) as object), ...place, limit: pageEntries, signal };
      try {
        const page = await client.agent.logs(request);
        if (!signal.aborted) step(stepOf(page));
      } catch (error) {
        if (!signal.aborted) step({ kind: 'failed', error: describeError(error) });
      }
    },
    [client, query],
  );

  const readFirst = useCallback(async () => await read({}, (page) => ({ kind: 'first', page })), [read]);

  useEffect(() => {
    stop.current = new AbortController();
    step({ kind: 'begin' });
    void readFirst();
    const { current } = stop;
    return () => current.abort();
  }, [readFirst]);

  const { state, newestId, nextCursor } = held;
  useEffect(() => {
    if (phase !== 'online' || state === 'reading') return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return;
      const after = newestId;
      void (after === null ? readFirst() : read({ after }, (page) => ({ kind: 'live', page, after })));
    }, liveMs);
    return () => clearInterval(timer);
  }, [phase, state, newestId, read, readFirst]);

  return {
    ...held,
    loadOlder: () => {
      if (held.isReadingOlder || nextCursor === null) return;
      step({ kind: 'reading older' });
      void read({ cursor: nextCursor }, (page) => ({ kind: 'older', page, cursor: nextCursor }));
    },
    reload: () => void readFirst(),
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
