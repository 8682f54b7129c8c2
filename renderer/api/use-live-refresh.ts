// Refetches a query after events in its workspace, for lists that events do not describe completely.
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useServices } from './services.ts';

/** Minimum time between refetches. */
const refreshMs = 1_000;

/** `workspaceId` null: after events in any workspace. */
export function useLiveRefresh(workspaceId: string | null, key: QueryKey): void {
  const { live, queries } = useServices();
  const latest = useRef(key);
  useEffect(() => {
    latest.current = key;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let newest = live.recent.get()[0];
    const unsubscribe = live.recent.subscribe(() => {
      const now = live.recent.get()[0];
      if (now === newest) return;
      newest = now;
      if (workspaceId !== null && now?.workspaceId !== workspaceId) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: latest.current });
      }, refreshMs);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [live, queries, workspaceId]);
}
