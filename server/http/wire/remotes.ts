// A remote as JSON: its times, and the words of its halt.
import type { Remote } from '../../contract/remotes.ts';
import { isoTime } from '../../platform/json/json-text.ts';
import type { RemoteView } from '../../remotes/port.ts';

export function remoteWire(view: RemoteView): Remote {
  const { lastSyncAtMs, offlineSinceMs, nextTryAtMs, tokenExpiresAtMs, problemList, halt, ...rest } = view;
  return {
    ...rest,
    lastSyncAt: timeOf(lastSyncAtMs),
    offlineSince: timeOf(offlineSinceMs),
    nextTryAt: timeOf(nextTryAtMs),
    tokenExpiresAt: timeOf(tokenExpiresAtMs),
    problemList: problemList.map(({ retryAtMs, ...problem }) => ({
      ...problem,
      retryAt: isoTime(retryAtMs),
    })),
    halt: halt === null ? null : { ...halt, ...haltText(view, halt) },
  };
}

function haltText(
  { url, remoteWorkspaceId }: RemoteView,
  { side, deletions, files }: NonNullable<RemoteView['halt']>,
): { cause: string; next: string } {
  const lost = side === 'here' ? `${remoteWorkspaceId} on ${url} has` : 'this workspace has';
  return {
    cause: `${deletions} of ${files} files would be deleted ${side === 'here' ? 'here' : `on ${url}`}, because ${lost} lost them.`,
    next: 'Restore the files to the side that lost them, or accept the deletions.',
  };
}

function timeOf(atMs: number | null): string | null {
  return atMs === null ? null : isoTime(atMs);
}
