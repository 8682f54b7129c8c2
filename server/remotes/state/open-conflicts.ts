// The open conflicts of a remote. A conflict ends when its copy is gone: deleted, moved, or resolved by a person.
import type { LocalContext } from './context.ts';

export class OpenConflicts {
  #checkedAt = -1;

  /** `position`: of the workspace's feed; nothing has ended where it has not moved. */
  async dropEnded({ store, workspaces, row }: LocalContext, position: number): Promise<void> {
    if (position === this.#checkedAt) return;
    const { remoteId, workspaceId } = row;
    for (const { conflictId, copyPath } of await store.remotes.listConflicts(remoteId))
      if ((await workspaces.getEntry(workspaceId, copyPath)) === null)
        await store.remotes.removeConflict({ remoteId, conflictId });
    this.#checkedAt = position;
  }
}
