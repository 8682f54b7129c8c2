// Bringing a past state back: from what stands at each path now and what stood there then to the changes that lead back.
// Pure: the store loads both sides and runs the changes as one command; nothing is decided about a single file here.
import { isAclPath } from '../access/acl.ts';
import type { FileEntry } from '../entry.ts';
import { comparePaths } from '../paths/path.ts';
import type { FileChange, PastRevision } from './change.ts';

export interface RestoredPath {
  readonly path: string;
  readonly now: FileEntry | null;
  /** null: nothing stood there. */
  readonly past: PastRevision | null;
}

/**
 * Deletions first, so that a file can take the place of a directory and the other way round; access-rule files last, so
 * that no rule that comes back refuses the rest. Each group in the byte order of paths. What is as it was is left alone.
 */
export function planRestore(paths: readonly RestoredPath[]): readonly FileChange[] {
  const sorted = paths.toSorted((left, right) => comparePaths(left.path, right.path));
  const deletions: FileChange[] = [];
  const writes: FileChange[] = [];
  const markers: FileChange[] = [];
  for (const { path, now, past } of sorted) {
    if (past === null) {
      if (now !== null) deletions.push({ kind: 'delete_file', path, precondition: { kind: 'any' } });
    } else if (now === null || !isAsItWas(now, past)) {
      (isAclPath(path) ? markers : writes).push({ kind: 'restore_file', path, from: past });
    }
  }
  return [...deletions, ...writes, ...markers];
}

/** Bytes, type, encoding and metadata; its revision and time are its own. */
function isAsItWas(now: FileEntry, past: PastRevision): boolean {
  return (
    now.hash === past.hash &&
    now.contentType === past.contentType &&
    now.encoding === past.encoding &&
    // Both were put in order when they were stored.
    JSON.stringify(now.semantics) === JSON.stringify(past.semantics)
  );
}
