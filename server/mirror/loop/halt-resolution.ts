// What a halted mirror holds back, and the answer that lets it delete that. It decides nothing by itself: whoever is asked does.

import type { MirrorSession } from '../cycle/session.ts';
import type { PendingLoss } from '../guard/deletion-guard.ts';
import { isLoss } from '../guard/halt-causes.ts';

export interface HeldFile extends PendingLoss {
  readonly revision: number;
}

/** What became of a yes to the changes that a halted mirror holds back. */
export type HaltAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'not_halted' }
  /** Another number of files is missing or truncated by now. */
  | { readonly kind: 'changed'; readonly deletes: number };

/** Files that would be deleted or truncated in the workspace, in order, after a path. */
export function heldBack(session: MirrorSession | null, after: string, limit: number): readonly HeldFile[] {
  if (session === null) return [];
  const losses = session.losses.waiting.filter(({ path }) => path > after).slice(0, limit);
  return losses.flatMap((loss) => {
    const file = session.trees.workspaceAt(loss.path);
    return file === null ? [] : [{ ...loss, revision: file.revision }];
  });
}

/** Yes, carry them: as many as were shown, and those very ones. The contents stay in the history of the workspace. */
export function acceptDeletes(session: MirrorSession | null, deletes: number): HaltAnswer {
  const losses = session?.losses;
  if (losses === undefined || !isLoss(losses.haltedCause)) return { kind: 'not_halted' };
  if (losses.waiting.length !== deletes) return { kind: 'changed', deletes: losses.waiting.length };
  losses.accept();
  return { kind: 'done' };
}
