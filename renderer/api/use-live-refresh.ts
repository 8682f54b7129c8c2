// Refetches a query after events in its workspace, for lists that events do not describe completely.
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
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
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refreshedAtMs = Number.NEGATIVE_INFINITY;
    let newest = live.recent.get()[0];
    const unsubscribe = live.recent.subscribe(() => {
      const now = live.recent.get()[0];
      if (now === newest) return;
      newest = now;
      if (workspaceId !== null && now?.workspaceId !== workspaceId) return;
      const delayMs = Math.max(gatherMs, refreshedAtMs + refreshMsMin - performance.now());
      timer ??= setTimeout(() => {
        timer = undefined;
        refreshedAtMs = performance.now();
        void queries.invalidateQueries({ queryKey: latest.current });
      }, delayMs);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [live, queries, workspaceId]);
}
