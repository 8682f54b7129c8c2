// The event feed of one workspace, newest first: stored and live events. Older pages load on request. At most `eventsMax` are
// held; the oldest are dropped first and can be loaded again.
import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { EventFrame } from '../../server/contract/events.ts';
import { eventNumber, isBelow } from '../model/inbound/activity-view.ts';
import { describeError, useLink, useServices } from './services.ts';

const pageEvents = 500;
const eventsMax = 20_000;
const retryMs = 5_000;

interface LoadedEvents {
  readonly state: 'reading' | 'ready' | 'failed';
  readonly error: string | null;
  readonly events: readonly EventFrame[];
  readonly hasOlder: boolean;
  readonly readingOlder: boolean;
}

export interface Activity extends LoadedEvents {
  loadOlder(): void;
  reload(): void;
}

type Step =
  | { readonly kind: 'begin' }
  | { readonly kind: 'page'; readonly events: readonly EventFrame[]; readonly hasOlder: boolean }
  | { readonly kind: 'live'; readonly events: readonly EventFrame[] }
  | { readonly kind: 'older' }
  | { readonly kind: 'failed'; readonly error: string };

const nothing: LoadedEvents = {
  state: 'reading',
  error: null,
  events: [],
  hasOlder: false,
  readingOlder: false,
};

function reduce(held: LoadedEvents, step: Step): LoadedEvents {
  switch (step.kind) {
    case 'begin':
      return nothing;
    case 'older':
      return { ...held, readingOlder: true, error: null };
    case 'failed':
      return {
        ...held,
        state: held.state === 'ready' ? 'ready' : 'failed',
        error: step.error,
        readingOlder: false,
      };
    case 'page': {
      const { events, cut } = merged(held.events, step.events);
      return { state: 'ready', error: null, events, hasOlder: step.hasOlder || cut, readingOlder: false };
    }
    case 'live': {
      const { events, cut } = merged(held.events, step.events);
      return { ...held, events, hasOlder: held.hasOlder || cut };
    }
  }
}

function merged(
  held: readonly EventFrame[],
  added: readonly EventFrame[],
): { readonly events: readonly EventFrame[]; readonly cut: boolean } {
  const known = new Set(held.map((event) => event.eventId));
  const all = [...held, ...added.filter((event) => !known.has(event.eventId))].sort(
    (a, b) => eventNumber(b.eventId) - eventNumber(a.eventId),
  );
  return { events: all.slice(0, eventsMax), cut: all.length > eventsMax };
}

/** `folder`: only events below it. */
export function useActivity(workspaceId: string, folder: string): Activity {
  const { client, live } = useServices();
  const [held, step] = useReducer(reduce, nothing);
  const stop = useRef(new AbortController());

  const read = useCallback(
    (cursor: string | null): void => {
      const { signal } = stop.current;
      client.events
        .page(workspaceId, {
          direction: 'desc',
          limit: pageEvents,
          signal,
          ...(folder === '/' ? {} : { path: folder }),
          ...(cursor === null ? {} : { cursor }),
        })
        .then(
          (page) => {
            if (!signal.aborted)
              step({ kind: 'page', events: page.events, hasOlder: page.nextCursor !== null });
          },
          (error: unknown) => {
            if (!signal.aborted) step({ kind: 'failed', error: describeError(error) });
          },
        );
    },
    [client, workspaceId, folder],
  );

  useEffect(() => {
    const abort = new AbortController();
    stop.current = abort;
    step({ kind: 'begin' });
    const unlisten = live.listen({
      onEvents: (events) => {
        const mine = events.filter(
          (event) => event.workspaceId === workspaceId && isBelow(event.frame.path, folder),
        );
        if (mine.length > 0) step({ kind: 'live', events: mine.map((event) => event.frame) });
      },
      onGap: (gone) => {
        if (gone === workspaceId) read(null);
      },
    });
    read(null);
    return () => {
      unlisten();
      abort.abort();
    };
  }, [live, workspaceId, folder, read]);

  useRetry(held.state === 'failed', read);

  const oldest = held.events.at(-1)?.eventId ?? null;
  return {
    ...held,
    loadOlder: () => {
      if (held.readingOlder || !held.hasOlder || oldest === null) return;
      step({ kind: 'older' });
      read(oldest);
    },
    reload: () => read(null),
  };
}

/** A failed request is retried while the agent responds. */
function useRetry(failed: boolean, read: (cursor: null) => void): void {
  const { phase } = useLink();
  useEffect(() => {
    if (!failed || phase !== 'online') return;
    const timer = setTimeout(() => read(null), retryMs);
    return () => clearTimeout(timer);
  }, [failed, phase, read]);
}
