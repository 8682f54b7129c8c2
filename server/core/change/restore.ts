// Plans a restore: from the current and the past entry of each path to the changes that write the past state. Pure: the store loads
// both and runs the changes as one command; single files are decided in decide.ts.
import { isAclPath } from '../access/acl.ts';
import type { FileEntry } from '../entry.ts';
import { comparePaths } from '../paths/path.ts';
import type { FileChange, PastRevision } from './change.ts';

export interface RestoredPath {
  readonly path: string;
  readonly now: FileEntry | null;
  /** null: there was no file. */
  readonly past: PastRevision | null;
}

/**
 * Deletions first, so that a file can replace a directory and a directory a file; ACL files last, so that no restored rule refuses
 * the rest. Each group by path, byte-wise. Unchanged paths need no change.
 */
export function planRestore(paths: readonly RestoredPath[]): readonly FileChange[] {
  const sorted = paths.toSorted((left, right) => comparePaths(left.path, right.path));
  const deletions: FileChange[] = [];
  const writes: FileChange[] = [];
  const aclFiles: FileChange[] = [];
  for (const { path, now, past } of sorted) {
    if (past === null) {
      if (now !== null) deletions.push({ kind: 'delete_file', path, precondition: { kind: 'any' } });
    } else if (now === null || !isAsItWas(now, past)) {
      (isAclPath(path) ? aclFiles : writes).push({ kind: 'restore_file', path, from: past });
    }
  }
  return [...deletions, ...writes, ...aclFiles];
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
