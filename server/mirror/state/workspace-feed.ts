// What changed on the workspace's side of a mirror since a position: from the event feed of the workspace, or from the changes of the
// fork that the mirror shows. It reads and decides nothing.
import type { EventReader } from '../../store/port/store.ts';
import type { ForkChanges } from '../../workspaces/fork-changes.ts';
import { mirrorPath } from './scoped-workspace.ts';
import type { WorkspaceFile } from './trees.ts';

const eventPageRows = 1000;

/** A change of a file, by its path in the mirror. */
export interface FeedChange {
  readonly path: string;
  readonly isDeletion: boolean;
  /** Is this, or something newer, known already? */
  readonly isKnown: (known: WorkspaceFile | null) => boolean;
}

export interface WorkspaceFeed {
  /** The position after the newest change. */
  position(): Promise<number>;
  /** A page of changes; null: they are not known, and everything must be listed. */
  page(from: number | null): Promise<{
    readonly changes: readonly FeedChange[];
    readonly position: number | null;
    readonly more: boolean;
  } | null>;
}

export function workspaceFeed(events: EventReader, workspaceId: string, rootPath: string): WorkspaceFeed {
  return {
    position: async () => (await events.range(workspaceId)).last,
    async page(from) {
      const page = await events.list(workspaceId, {
        direction: 'asc',
        from,
        limit: eventPageRows,
        pathPrefix: rootPath === '/' ? null : rootPath,
        provider: null,
        access: null,
      });
      const changes = page.events.flatMap(({ type, path, revision }): readonly FeedChange[] => {
        const below = type.startsWith('file.') ? mirrorPath(rootPath, path) : null;
        if (below === null) return [];
        const isDeletion = type === 'file.deleted';
        const isKnown = (known: WorkspaceFile | null) =>
          isDeletion ? known === null : known !== null && revision !== null && known.revision >= revision;
        return [{ path: below, isDeletion, isKnown }];
      });
      return { changes, position: page.scannedTo ?? from, more: page.more };
    },
  };
}

/** Revisions of a fork and those of its base are counted apart, so only an equal file is known. */
export function forkFeed(forkChanges: ForkChanges, forkId: string, rootPath: string): WorkspaceFeed {
  return {
    position: () => Promise.resolve(forkChanges.position(forkId)),
    page(from) {
      const found = from === null ? null : forkChanges.after(forkId, from);
      if (from === null || found === null) return Promise.resolve(null);
      const changes = found.flatMap(({ path, file }): readonly FeedChange[] => {
        const below = mirrorPath(rootPath, path);
        if (below === null) return [];
        const isKnown = (known: WorkspaceFile | null) =>
          file === null ? known === null : known?.revision === file.revision && known.hash === file.hash;
        return [{ path: below, isDeletion: file === null, isKnown }];
      });
      return Promise.resolve({ changes, position: from + found.length, more: false });
    },
  };
}
