// Refetches a query after events in its workspace, for lists that events do not describe completely.
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LiveFeed } from './live-feed.ts';
import { useServices } from './services.ts';

/** After an event, so that a burst is one refetch. */
const gatherMs = 100;
/** Minimum time between refetches. */
const refreshMsMin = 1_000;

/** `workspaceId` null: after events in any workspace. */
export function useLiveRefresh(workspaceId: string | null, key: QueryKey): void {
  const { live, queries } = useServices();
  const latest = useRef(key);
  useEffect(() => {
    latest.current = key;
  });
  useEffect(
    () =>
      refreshAfterEvents(
        live,
        workspaceId,
        () => void queries.invalidateQueries({ queryKey: latest.current }),
      ),
    [live, queries, workspaceId],
  );
}

/** Calls `refresh` after events in the workspace, and when events of it are missing. Returns a function that ends it. */
export function refreshAfterEvents(
  live: Pick<LiveFeed, 'listen'>,
  workspaceId: string | null,
  refresh: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refreshedAtMs = Number.NEGATIVE_INFINITY;
  const refreshSoon = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        refreshedAtMs = performance.now();
        refresh();
      },
      Math.max(gatherMs, refreshedAtMs + refreshMsMin - performance.now()),
    );
  };
  const isMine = (id: string): boolean => workspaceId === null || workspaceId === id;
  const unlisten = live.listen({
    onEvents: (events) => {
      if (events.some((event) => isMine(event.workspaceId))) refreshSoon();
    },
    onGap: (id) => {
      if (isMine(id)) refreshSoon();
    },
  });
  return () => {
    unlisten();
    clearTimeout(timer);
  };
}
