// What the planner asks and what it answers, in plain data: the three trees as far as they are asked for, and what is to be done
// in the folder, in the workspace and in the base. Nothing is decided here.

/** What both sides last agreed on at a path. */
export interface BaseEntry {
  readonly hash: string;
  /** Inode number on the folder's disk, decimal; empty when it is unknown. */
  readonly inode: string;
}

/** What stands at a path of the folder. Absent: nothing, or a directory that holds files of its own (see `localHolds`). */
export type LocalEntry =
  | { readonly kind: 'file'; readonly hash: string; readonly inode: string }
  /** A directory about whose content nothing is known but that it is in the way of a file. */
  | { readonly kind: 'directory' }
  /** Something that is never read or never synced (a link, a device, an unreadable file): neither changed nor gone. */
  | { readonly kind: 'blocked' };

/** What stands at a path of the workspace. `blocked`: a file that this folder cannot or must not hold. */
export type WorkspaceEntry =
  | { readonly kind: 'file'; readonly hash: string }
  | { readonly kind: 'blocked'; readonly hash: string };

/**
 * The three trees, as far as they are asked for. Only `candidates` are decided: all paths at which any two trees differ, but
 * for those that have to wait.
 */
export interface Trees {
  readonly candidates: Iterable<string>;
  base(path: string): BaseEntry | null;
  local(path: string): LocalEntry | null;
  workspace(path: string): WorkspaceEntry | null;
  /** Does the folder hold files (or blocked things) below this path? */
  localHolds(path: string): boolean;
  /** Does the workspace hold files below this path? */
  workspaceHolds(path: string): boolean;
}

/** Brings the workspace's file into the folder. `expected`: what must still stand there when it is done. */
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

/** `expected`: the workspace's hash at planning; the caller turns it into a precondition (null: must be absent). */
export type WorkspaceAction =
  | { readonly kind: 'write'; readonly path: string; readonly hash: string; readonly expected: string | null }
  | { readonly kind: 'delete'; readonly path: string; readonly expected: string }
  | { readonly kind: 'move'; readonly path: string; readonly from: string; readonly hash: string };

/** Both sides agree on what is now there (null: nothing); only the base does not know yet. */
export interface BaseAction {
  readonly path: string;
  readonly hash: string | null;
}

/**
 * Two versions must live. The workspace's keeps the path; what stands in the folder is renamed to a conflict name beside
 * it and is from then on an ordinary file (or a directory of them). Everything else follows by planning again.
 */
export interface Conflict {
  readonly path: string;
  readonly what: 'file' | 'directory';
  readonly localHash: string | null;
  readonly workspaceHash: string | null;
  readonly baseHash: string | null;
}

export interface Plan {
  /** Removals stand before puts: a directory may have to make room for a file. */
  readonly toLocal: readonly LocalAction[];
  /** Each group is one change: a change of type deletes and creates together (contract ruling 25). */
  readonly toWorkspace: readonly (readonly WorkspaceAction[])[];
  readonly toBase: readonly BaseAction[];
  readonly conflicts: readonly Conflict[];
  /** Of a mirror that only carries to the workspace: conflicts whose folder's version goes beside the workspace's, there. */
  readonly beside: readonly Conflict[];
}

/** Which ways are open. A closed way leaves its side as it is: what cannot be brought in step is left to differ. */
export type Mode = 'two-way' | 'to-workspace' | 'to-folder';
