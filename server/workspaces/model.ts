// Re-exports types of entries, changes and pages, and the path rules, for HTTP, which may import neither the store nor the core.

export { isAclPath } from '../core/access/acl.ts';
export type { Authority, DeleteLimit } from '../core/access/authority.ts';
export type { Applied, ChangeResult, FileChange, Precondition, Refusal } from '../core/change/change.ts';
export { failedPrecondition } from '../core/change/if-match.ts';
export type { AccessSubject, Actor, FileEntry } from '../core/entry.ts';
export { isWithin, normalizeReadPath, parseWritePath } from '../core/paths/path.ts';
export { choiceOf, type PathChoice } from '../core/paths/path-choice.ts';
export { createPathFilter } from '../core/paths/path-filter.ts';
export type {
  FileFilter,
  LostTail,
  Member,
  PastTreePage,
  RestoreResult,
  RestoreTarget,
  RevisionRow,
  TreeEntry,
  TreeFile,
  TreePage,
  WorkspaceRow,
} from '../store/port/store.ts';
export {
  ContentTooLargeError,
  CorruptContentError,
  PathTooLongError,
  StoreUnavailableError,
} from '../store/port/store.ts';
