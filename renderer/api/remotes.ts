// Remotes that sync nothing until a person acts, for the navigation.
import { needsYou } from '../model/mirror/remote-view.ts';
import type { PendingWork } from './pending-work.ts';
import { useStatus } from './services.ts';

export function useRemotesToResolve(workspaceId: string | null): PendingWork {
  const remotes = useStatus()?.remotes ?? [];
  return new Map(
    remotes
      .filter((remote) => workspaceId === null || remote.workspaceId === workspaceId)
      .map((remote) => [remote.workspaceId, needsYou(remote) ? 1 : 0]),
  );
}
