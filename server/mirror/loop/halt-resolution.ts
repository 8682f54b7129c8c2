// What a halted mirror holds back, and the answer that lets it delete that. It decides nothing by itself: whoever is asked does.

import type { SyncSession } from '../cycle/session.ts';
import type { PendingDeletion } from '../guard/deletion-guard.ts';
import { isDeletionHalt } from '../guard/halt-causes.ts';

export interface PendingFile extends PendingDeletion {
  readonly revision: number;
}

/** What became of a yes to the changes that a halted mirror holds back. */
export type HaltResolution =
  | { readonly kind: 'done' }
  | { readonly kind: 'not_halted' }
  /** Another number of files is missing or truncated by now. */
  | { readonly kind: 'changed'; readonly deletes: number };

/** Files that would be deleted or truncated in the workspace, in order, after a path. */
export function listPendingDeletions(
  session: SyncSession | null,
  after: string,
  limit: number,
): readonly PendingFile[] {
  if (session === null) return [];
  const losses = session.deletionGuard.pending.filter(({ path }) => path > after).slice(0, limit);
  return losses.flatMap((loss) => {
    const file = session.trees.workspaceAt(loss.path);
    return file === null ? [] : [{ ...loss, revision: file.revision }];
  });
}

/** Yes, carry them: as many as were shown, and those very ones. The contents stay in the history of the workspace. */
export function confirmDeletions(session: SyncSession | null, deletes: number): HaltResolution {
  const losses = session?.deletionGuard;
  if (losses === undefined || !isDeletionHalt(losses.haltedCause)) return { kind: 'not_halted' };
  if (losses.pending.length !== deletes) return { kind: 'changed', deletes: losses.pending.length };
  losses.confirm();
  return { kind: 'done' };
}
