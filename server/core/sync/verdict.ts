// The planner's verdict on one path, independent of its neighbours, and its form in a one-way mirror. Pure and total, and never the
// loss of content (docs/sync-rules.md#1, docs/sync-rules.md#2, docs/sync-rules.md#18).
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

/** null: nothing to do, or not yet. */
export function decide(trees: Trees, path: string): PathDecision | null {
  const local = trees.local(path);
  const workspace = trees.workspace(path);
  // An unreadable or unsyncable entry is neither changed nor missing: the other side's change waits until the entry can be read.
  // This keeps an unreadable or oversized file from being taken for a deleted one.
  if (local?.kind === 'blocked' || workspace?.kind === 'blocked') return null;
  if (ancestorsOf(path).some((ancestor) => trees.local(ancestor)?.kind === 'blocked')) return null;

  const base = trees.base(path)?.hash ?? null;
  const here = local?.kind === 'file' ? local.hash : null;
  const there = workspace?.hash ?? null;

  // Equal content is never a conflict, whatever the base contains: two sides that did the same agree. Our own writes return as
  // exactly this, so echoes end here.
  if (here === there) return here === null && base === null ? null : { kind: 'agree', path, hash: here };

  // The folder still equals the base: only the workspace changed.
  if (here === base) {
    if (there === null) return { kind: 'remove', path, expected: here as string };
    return { kind: 'put', path, hash: there, expected: here };
  }

  // The workspace still equals the base: only the folder changed.
  if (there === base) {
    if (here === null) return { kind: 'delete', path, expected: there as string };
    return { kind: 'write', path, hash: here, expected: there };
  }

  // Both changed, differently. At most one of the two is a deletion, because two deletions agree. A deletion never wins over new
  // content: the side with content passes it to the other.
  if (here === null) return { kind: 'put', path, hash: there as string, expected: null };
  if (there === null) return { kind: 'write', path, hash: here, expected: null };

  return { kind: 'conflict', path };
}

/** The verdict in a one-way mirror; null: nothing to do, and the sides stay different. */
export function withinMode(verdict: PathDecision, mode: Mode, trees: Trees): PathDecision | null {
  if (mode === 'to-workspace') {
    // The folder is never written: the workspace's additions and deletions stay there, and of two edits the folder's becomes a
    // conflict copy.
    if (verdict.kind === 'put' || verdict.kind === 'remove') return null;
    return verdict.kind === 'conflict' ? { kind: 'beside', path: verdict.path } : verdict;
  }
  if (mode === 'to-folder') {
    const there = trees.workspace(verdict.path)?.hash ?? null;
    // The workspace is never written: an edit of the folder becomes a conflict copy, a deletion is undone, and local files stay
    // local.
    if (verdict.kind === 'write') return there === null ? null : { kind: 'conflict', path: verdict.path };
    if (verdict.kind === 'delete')
      return there === null ? null : { kind: 'put', path: verdict.path, hash: there, expected: null };
  }
  return verdict;
}
