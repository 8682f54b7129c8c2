// Tiny named trees for the planner's table: `fA` is a file with content A, inode included; a tree is a record of paths.
import type { BaseEntry, LocalEntry, Trees, WorkspaceEntry } from '../../../server/core/sync/plan.ts';

export interface Content {
  readonly hash: string;
  readonly inode: string;
}
export type BaseTree = Readonly<Record<string, Content>>;
export type LocalTree = Readonly<Record<string, LocalEntry>>;
export type WorkspaceTree = Readonly<Record<string, WorkspaceEntry>>;

/** What was agreed on: content, and the inode that held it. */
export const bA: Content = { hash: 'A', inode: '1' };
export const bB: Content = { hash: 'B', inode: '2' };

/** Files of the folder: the digit is the inode. */
export const fA1: LocalEntry = { kind: 'file', hash: 'A', inode: '1' };
export const fA9: LocalEntry = { kind: 'file', hash: 'A', inode: '9' };
export const fB2: LocalEntry = { kind: 'file', hash: 'B', inode: '2' };
export const fC1: LocalEntry = { kind: 'file', hash: 'C', inode: '1' };
export const fC3: LocalEntry = { kind: 'file', hash: 'C', inode: '3' };
export const dir: LocalEntry = { kind: 'directory' };
/** A link, a device, or a file that cannot be read. */
export const x: LocalEntry = { kind: 'blocked' };

/** Files of the workspace. */
export const wA: WorkspaceEntry = { kind: 'file', hash: 'A' };
export const wB: WorkspaceEntry = { kind: 'file', hash: 'B' };
export const wC: WorkspaceEntry = { kind: 'file', hash: 'C' };
export const wD: WorkspaceEntry = { kind: 'file', hash: 'D' };
/** A file that this folder must not hold. */
export const wX: WorkspaceEntry = { kind: 'blocked', hash: 'X' };

export function trees(base: BaseTree, local: LocalTree, workspace: WorkspaceTree): Trees {
  const holds = (tree: Readonly<Record<string, unknown>>, path: string) =>
    Object.keys(tree).some((other) => other.startsWith(`${path}/`));
  return {
    candidates: [...Object.keys(base), ...Object.keys(local), ...Object.keys(workspace)],
    base: (path): BaseEntry | null => base[path] ?? null,
    local: (path) => local[path] ?? null,
    workspace: (path) => workspace[path] ?? null,
    localHolds: (path) => holds(local, path),
    workspaceHolds: (path) => holds(workspace, path),
  };
}
