// Inputs and output of the planner as plain data: the three trees, as far as it reads them, and the actions in the folder, in the
// workspace and in the base. Nothing is decided here.

/** What both sides last agreed on at a path. */
export interface BaseEntry {
  readonly hash: string;
  /** Inode number on the folder's disk, decimal; empty when it is unknown. */
  readonly inode: string;
}

/** The folder's entry at a path. Absent: nothing, or a directory that contains files (see `localHolds`). */
export type LocalEntry =
  | { readonly kind: 'file'; readonly hash: string; readonly inode: string }
  /** A directory with unknown content that blocks a file. */
  | { readonly kind: 'directory' }
  /** An entry that is never read or never synced (a link, a device, an unreadable file): neither changed nor missing. */
  | { readonly kind: 'blocked' };

/** The workspace's entry at a path. `blocked`: a file that this folder cannot or must not contain. */
export type WorkspaceEntry =
  | { readonly kind: 'file'; readonly hash: string }
  | { readonly kind: 'blocked'; readonly hash: string };

/**
 * The three trees, as far as the planner reads them. Only `candidates` are decided: all paths at which any two trees differ, except
 * those that have to wait.
 */
export interface Trees {
  readonly candidates: Iterable<string>;
  base(path: string): BaseEntry | null;
  local(path: string): LocalEntry | null;
  workspace(path: string): WorkspaceEntry | null;
  /** Does the folder contain files (or blocked entries) below this path? */
  localHolds(path: string): boolean;
  /** Does the workspace contain files below this path? */
  workspaceHolds(path: string): boolean;
}

/** Downloads the workspace's file. `expected`: what the path must still contain at that time. */
export interface PutLocal {
  readonly kind: 'put';
  readonly path: string;
  readonly hash: string;
  readonly expected: string | null;
}

export interface RemoveLocal {
  readonly kind: 'remove';
  readonly path: string;
  readonly expected: string;
}

export type LocalAction = PutLocal | RemoveLocal;

/** `expected`: the workspace's hash at planning, which becomes a precondition (null: must be absent). */
export type WorkspaceAction =
  | { readonly kind: 'write'; readonly path: string; readonly hash: string; readonly expected: string | null }
  | { readonly kind: 'delete'; readonly path: string; readonly expected: string }
  | { readonly kind: 'move'; readonly path: string; readonly from: string; readonly hash: string };

/** Both sides are equal (null: both empty); only the base does not record it yet. */
export interface BaseAction {
  readonly path: string;
  readonly hash: string | null;
}

/**
 * Both versions must survive. The workspace's keeps the path; the folder's is renamed to a conflict copy in the same directory and
 * is an ordinary file (or a directory of them) from then on. The next plan does the rest.
 */
export interface Conflict {
  readonly path: string;
  readonly what: 'file' | 'directory';
  readonly localHash: string | null;
  readonly workspaceHash: string | null;
  readonly baseHash: string | null;
}

export interface Plan {
  /** Removals come before puts: a file may replace a directory. */
  readonly toLocal: readonly LocalAction[];
  /**
   * Each group is one request: a change of type deletes and creates together
   * (docs/wire-contract.md#one-name-as-file-and-directory).
   */
  readonly toWorkspace: readonly (readonly WorkspaceAction[])[];
  readonly toBase: readonly BaseAction[];
  readonly conflicts: readonly Conflict[];
  /** Of an upload-only mirror: conflicts whose folder version becomes a conflict copy in the workspace. */
  readonly conflictCopies: readonly Conflict[];
}

/** The directions of the mirror. A closed direction leaves its side unchanged: remaining differences stay. */
export type Mode = 'two-way' | 'to-workspace' | 'to-folder';
