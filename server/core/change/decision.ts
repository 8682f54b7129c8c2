// Inputs and results of a decision on a change: plain data between the store, which loads and writes, and decide.ts, which decides.
import type { Semantics } from '../../contract/common.ts';
import type { ContentIdentity } from '../../contract/files.ts';
import type { OperationAction, OperationStatus } from '../../contract/words.ts';
import type { AccessSubject, Entry, FileEntry } from '../entry.ts';
import type { Applied, Content, Refusal } from './change.ts';

/** The permissions of an ACL file for its directory and its descendants. */
export interface AclFile {
  readonly directory: string;
  readonly permissions: readonly string[];
}

/** The loaded state of one path. */
export interface PathState {
  readonly entry: Entry | null;
  /** A file among the ancestors, which blocks the path; null: none. */
  readonly fileAbove: string | null;
  /** Markers of the ancestor directories, outermost first. */
  readonly aclFiles: readonly AclFile[];
  /** Number of the path's pending operation that a newer one supersedes; absent: none. */
  readonly waitingOperation?: number | null;
}

/** The earlier write of a content identity, and the current state of its path. */
export interface EarlierWrite {
  readonly result: Applied;
  /** Of the content that it is bound to; null: unknown, so no write repeats it. */
  readonly hash: string | null;
  /** null: of no use to this caller. */
  readonly at: PathState | null;
}

export interface ChangeState {
  /** The path of the change; of a move, where it starts. */
  readonly at: PathState;
  /** Where a move ends; null for every other change. */
  readonly to: PathState | null;
  /** What the same content identity wrote earlier within its time; null when it is new or the change carries none. */
  readonly earlier: EarlierWrite | null;
  /** The text of the moved or restored file where the target is an ACL file; else null. */
  readonly aclText: string | null;
  /** Of a draft: the path of another file that already is the provider's object; absent: there is none. */
  readonly materializedAt?: string | null;
}

export interface ChangeContext {
  readonly workspaceExists: boolean;
  readonly access: AccessSubject | null;
  readonly atMs: number;
  /** The next free number of each counter; the accepted change says how many it uses. */
  readonly nextRevision: number;
  readonly nextOperation: number;
  readonly makesOperations: boolean;
  /**
   * Does a consumer acknowledge operations of this provider? If not, they succeed at once
   * (docs/wire-contract.md#operations-and-writeback).
   */
  readonly hasConsumer: (provider: string) => boolean;
}

export interface HistoryRecord {
  readonly revision: number;
  readonly path: string;
  readonly action: 'write' | 'delete' | 'move';
  readonly movedFrom: string | null;
  readonly hash: string | null;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly encoding: FileEntry['encoding'];
  readonly opId: string | null;
  /** The restored revision; absent: not a restore. */
  readonly restoredFrom?: number;
  /** Of a version that never was at its path: its metadata, and the rules for reading it. */
  readonly kept?: { readonly semantics: Semantics; readonly permissions: readonly string[] };
}

export interface EventRecord {
  readonly type: 'file.created' | 'file.updated' | 'file.deleted';
  readonly path: string;
  readonly revision: number;
  readonly hash: string | null;
  /** The permissions that apply to the path at this commit (docs/wire-contract.md#events); empty when none of them is a rule. */
  readonly permissions: readonly string[];
}

export interface OperationRecord {
  readonly number: number;
  readonly path: string;
  readonly revision: number;
  readonly action: OperationAction;
  readonly provider: string;
  readonly status: OperationStatus;
  /** Number of the waiting operation whose work this one does, too. */
  readonly supersedes: number | null;
}

/** What an accepted change stores, in one transaction. */
export interface AcceptedChange {
  readonly removed: FileEntry | null;
  readonly written: FileEntry | null;
  /** Content of the written entry; null when it is stored already. */
  readonly content: Content | null;
  readonly history: readonly HistoryRecord[];
  readonly events: readonly EventRecord[];
  readonly operations: readonly OperationRecord[];
  /** Rules of directories that an ACL file changes; null permissions remove them. */
  readonly aclFiles: readonly {
    readonly directory: string;
    readonly permissions: readonly string[] | null;
  }[];
  readonly identity: {
    readonly identity: ContentIdentity;
    /** Of the content that it is bound to. */
    readonly hash: string;
    readonly expiresAtMs: number;
  } | null;
}

/** `accepted` is null when nothing is written: a repeat of what was applied before. */
export type ChangeDecision =
  | Refusal
  | { readonly ok: true; readonly accepted: AcceptedChange | null; readonly result: Applied };
