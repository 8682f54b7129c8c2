// Refusals of a change: invalid paths and entries that block it. Pure; preconditions are in if-match.ts, access in change-access.ts.
import { parseWritePath } from '../paths/path.ts';
import { type FileChange, pathOfChange, type Refusal, type RefusalCode } from './change.ts';
import type { PathState } from './decision.ts';

export function refuse(change: FileChange, code: RefusalCode, message: string): Refusal {
  return { ok: false, path: pathOfChange(change), code, message };
}

export function refuseAccess(change: FileChange): Refusal {
  return refuse(change, 'forbidden', 'access denied by ACL');
}

export function invalidPath(change: FileChange, path: string): Refusal | null {
  const parsed = parseWritePath(path);
  if (!parsed.ok) return refuse(change, 'invalid_path', parsed.reason);
  return parsed.path === path
    ? null
    : refuse(change, 'invalid_path', `the path must be given as ${parsed.path}`);
}

/** A name is either a file or a directory (docs/wire-contract.md#one-name-as-file-and-directory). The text names the other path. */
export function blockedBy(state: PathState, path: string): string | null {
  if (state.entry?.type === 'dir') return `${path} is a directory`;
  return state.fileAbove === null ? null : `${state.fileAbove} is a file`;
}

/** A move never replaces a file, and a file cannot become its own directory. */
export function blockedMove(from: string, to: string, target: PathState): string | null {
  if (target.entry?.type === 'file') return `${to} exists`;
  // The moved file no longer exists when the target is written; only another file above blocks.
  if (target.fileAbove === from) return null;
  return blockedBy(target, to);
}
