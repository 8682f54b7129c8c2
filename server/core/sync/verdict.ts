// The planner's verdict on one path by itself, as if its neighbours could not be in the way, and what becomes of it where a
// mirror carries one way only. Pure and total, and never the loss of content (sync-engine rules 1, 2, 18).
import { ancestorsOf } from '../paths/path.ts';
import type { Mode, PutLocal, RemoveLocal, Trees } from './plan.ts';

export type PathDecision =
  | PutLocal
  | RemoveLocal
  | { readonly kind: 'write'; readonly path: string; readonly hash: string; readonly expected: string | null }
  | { readonly kind: 'delete'; readonly path: string; readonly expected: string }
  | { readonly kind: 'agree'; readonly path: string; readonly hash: string | null }
  | { readonly kind: 'conflict'; readonly path: string }
  | { readonly kind: 'beside'; readonly path: string };

/** null: nothing is to be done, or not yet. */
export function decide(trees: Trees, path: string): PathDecision | null {
  const local = trees.local(path);
  const workspace = trees.workspace(path);
  // What cannot be read or must not be held is neither changed nor gone: whatever the other side did waits until it can be
  // seen. This is what keeps an unreadable or oversized file from looking deleted.
  if (local?.kind === 'blocked' || workspace?.kind === 'blocked') return null;
  if (ancestorsOf(path).some((ancestor) => trees.local(ancestor)?.kind === 'blocked')) return null;

  const base = trees.base(path)?.hash ?? null;
  const here = local?.kind === 'file' ? local.hash : null;
  const there = workspace?.hash ?? null;

  // Equal content is never a conflict, whoever wrote it and whatever the base says: two sides that did the same agree.
  // Our own writes come back as exactly this, so echoes end here.
  if (here === there) return here === null && base === null ? null : { kind: 'agree', path, hash: here };

  // The folder still holds what was agreed on (or still holds nothing): only the workspace changed.
  if (here === base) {
    if (there === null) return { kind: 'remove', path, expected: here as string };
    return { kind: 'put', path, hash: there, expected: here };
  }

  // The workspace still holds what was agreed on: only the folder changed.
  if (there === base) {
    if (here === null) return { kind: 'delete', path, expected: there as string };
    return { kind: 'write', path, hash: here, expected: there };
  }

  // Both changed, differently. At most one of the two is a deletion, because two deletions agree. A deletion never beats
  // new content: the side that still has content gives it to the other.
  if (here === null) return { kind: 'put', path, hash: there as string, expected: null };
  if (there === null) return { kind: 'write', path, hash: here, expected: null };

  return { kind: 'conflict', path };
}

/** What becomes of a verdict where one way is closed; null: nothing is done, and the sides go on to differ. */
export function withinMode(verdict: PathDecision, mode: Mode, trees: Trees): PathDecision | null {
  if (mode === 'to-workspace') {
    // The folder is never written: what only the workspace has or lost stays there, and of two edits the folder's goes beside.
    if (verdict.kind === 'put' || verdict.kind === 'remove') return null;
    return verdict.kind === 'conflict' ? { kind: 'beside', path: verdict.path } : verdict;
  }
  if (mode === 'to-folder') {
    const there = trees.workspace(verdict.path)?.hash ?? null;
    // The workspace is never written: an edit of the folder steps aside for what the workspace has, a deletion is undone,
    // and what only the folder has stays there.
    if (verdict.kind === 'write') return there === null ? null : { kind: 'conflict', path: verdict.path };
    if (verdict.kind === 'delete')
      return there === null ? null : { kind: 'put', path: verdict.path, hash: there, expected: null };
  }
  return verdict;
}
