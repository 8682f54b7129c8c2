// What refuses a change, in words and as a code: paths that nothing may have, what stands in the way, preconditions that do not
// hold. Pure; the rules of access are in change-access.ts.

import { type FileEntry, revisionName } from '../entry.ts';
import { parseWritePath } from '../paths/path.ts';
import {
  type FileChange,
  type Precondition,
  pathOfChange,
  type Refusal,
  type RefusalCode,
} from './change.ts';
import type { PathState } from './decision.ts';

export function refuse(change: FileChange, code: RefusalCode, message: string): Refusal {
  return { ok: false, path: pathOfChange(change), code, message };
}

export function forbidden(change: FileChange): Refusal {
  return refuse(change, 'forbidden', 'access denied by ACL');
}

export function invalidPath(change: FileChange, path: string): Refusal | null {
  const parsed = parseWritePath(path);
  if (!parsed.ok) return refuse(change, 'invalid_path', parsed.reason);
  return parsed.path === path
    ? null
    : refuse(change, 'invalid_path', `the path must be given as ${parsed.path}`);
}

/** One name cannot be a file and a directory (contract ruling 25). The text names the other path. */
export function blockedBy(state: PathState, path: string): string | null {
  if (state.entry?.type === 'dir') return `${path} is a directory`;
  return state.fileAbove === null ? null : `${state.fileAbove} is a file`;
}

/** A move never replaces what stands at its target, and a file cannot become its own directory. */
export function blockedMove(from: string, to: string, target: PathState): string | null {
  if (target.entry?.type === 'file') return `${to} exists`;
  // The moved file itself is gone by the time the target stands; only another file above blocks.
  if (target.fileAbove === from) return null;
  return blockedBy(target, to);
}

/** What the caller expected at the path, as it is written in If-Match. */
export function expectedBy(precondition: Precondition): string {
  switch (precondition.kind) {
    case 'any':
      return '*';
    case 'absent':
      return '0';
    case 'revision':
      return precondition.revision;
    case 'content':
      return precondition.hash;
    default:
      return precondition satisfies never;
  }
}

/** Contract 2 (PUT file) and ruling 28. null: it holds. */
export function failedPrecondition(
  change: FileChange,
  precondition: Precondition,
  current: FileEntry | null,
): Refusal | null {
  switch (precondition.kind) {
    case 'any':
      return null;
    case 'absent':
      return current === null ? null : conflict(change, precondition, current);
    case 'revision':
      if (current === null) return missing(change, precondition);
      return revisionName(current) === precondition.revision ? null : conflict(change, precondition, current);
    case 'content':
      if (current === null) return missing(change, precondition);
      return current.hash === precondition.hash ? null : conflict(change, precondition, current);
    default:
      return precondition satisfies never;
  }
}

function missing(change: FileChange, precondition: Precondition): Refusal {
  return {
    ...refuse(change, 'not_found', 'there is no file at this path'),
    expectedRevision: expectedBy(precondition),
  };
}

function conflict(change: FileChange, precondition: Precondition, current: FileEntry): Refusal {
  return {
    ...refuse(change, 'revision_conflict', 'the file is not in the expected state'),
    expectedRevision: expectedBy(precondition),
    currentRevision: revisionName(current),
    current,
  };
}
