// Small names for what decisions on changes are made from.
import type { FileChange, Precondition, WriteFile } from '../../../server/core/change/change.ts';
import type { ChangeContext, ChangeState, PathState } from '../../../server/core/change/decision.ts';
import type { AccessSubject, FileEntry } from '../../../server/core/entry.ts';

export const hashA = 'a'.repeat(64);
export const hashB = 'b'.repeat(64);
export const file = (path: string, more: Partial<FileEntry> = {}): FileEntry => ({
  type: 'file',
  path,
  revision: 5,
  hash: hashA,
  sizeBytes: 1,
  contentType: 'text/plain',
  encoding: 'utf-8',
  provider: 'docs',
  providerObjectId: null,
  editedAtMs: 1,
  semantics: {},
  ...more,
});
export const nothing: PathState = { entry: null, fileAbove: null, aclFiles: [] };
export const holding = (entry: FileEntry): PathState => ({ ...nothing, entry });
export const at = (state: PathState, more: Partial<ChangeState> = {}): ChangeState => ({
  at: state,
  to: null,
  earlier: null,
  aclText: null,
  ...more,
});
export const context: ChangeContext = {
  workspaceExists: true,
  access: null,
  atMs: 1000,
  nextRevision: 10,
  nextOperation: 3,
  makesOperations: true,
  hasConsumer: () => false,
};
export const write = (path: string, more: Partial<WriteFile> = {}): WriteFile => ({
  kind: 'write_file',
  path,
  precondition: { kind: 'any' },
  content: { hash: hashB, sizeBytes: 2, staged: true },
  defaultContentType: 'text/markdown',
  encoding: 'utf-8',
  ...more,
});
export const remove = (precondition: Precondition): FileChange => ({
  kind: 'delete_file',
  path: '/docs/a.md',
  precondition,
});
export const agent: AccessSubject = { workspaceId: 'rw_1', agent: 'one', scopes: ['fs:read', 'fs:write'] };
export const doc = file('/docs/a.md');
export const revision5: Precondition = { kind: 'revision', revision: 'rev_5' };
export const revision4: Precondition = { kind: 'revision', revision: 'rev_4' };
