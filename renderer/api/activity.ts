// The event feed of one workspace, newest first: stored and live events. Older pages load on request.
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { isBelow } from '../model/inbound/activity-view.ts';
import { type LoadedEvents, noEvents, withStep } from '../model/inbound/loaded-events.ts';
import { describeError, useLink, useServices } from './services.ts';

const pageEvents = 500;
const retryMs = 5_000;

export interface Activity extends LoadedEvents {
  loadOlder(): void;
  reload(): void;
}

/** `folder`: only events below it. */
export function useActivity(workspaceId: string, folder: string): Activity {
  const { client, live } = useServices();
  const [held, step] = useReducer(withStep, noEvents);
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
            if (signal.aborted) return;
            const hasOlder = page.nextCursor !== null;
            step({ kind: 'page', events: page.events, hasOlder, after: cursor });
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
        if (gone !== workspaceId) return;
        step({ kind: 'interruption' });
        read(null);
      },
    });
    read(null);
    return () => {
      unlisten();
      abort.abort();
    };
  }, [live, workspaceId, folder, read]);

  useRetry(held.state === 'failed' || held.interruptedAt !== null ? held.failures : 0, read);

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

/** After each failure (0: none) it reads again while the agent responds. */
function useRetry(failures: number, read: (cursor: null) => void): void {
  const { phase } = useLink();
  useEffect(() => {
    if (failures === 0 || phase !== 'online') return;
    const timer = setTimeout(() => read(null), retryMs);
    return () => clearTimeout(timer);
  }, [failures, phase, read]);
}
