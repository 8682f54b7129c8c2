// What a decision on a change is made from and what it is: plain data between the store, which loads and persists, and
// core/decide, which decides.
import type { Semantics } from '../../contract/common.ts';
import type { ContentIdentity } from '../../contract/files.ts';
import type { OperationAction, OperationStatus } from '../../contract/words.ts';
import type { AccessSubject, Entry, FileEntry } from '../entry.ts';
import type { Applied, Content, Refusal } from './change.ts';

/** The permissions that a marker file gives to all that lies at or below its directory. */
export interface AclFile {
  readonly directory: string;
  readonly permissions: readonly string[];
}

/** What the store loaded about one path. */
export interface PathState {
  readonly entry: Entry | null;
  /** A file among the ancestors, below which nothing can stand; null when there is none. */
  readonly fileAbove: string | null;
  /** Markers of the ancestor directories, outermost first. */
  readonly markers: readonly AclFile[];
  /** Number of the path's operation that still waits and that a newer one takes the place of; absent: there is none. */
  readonly waitingOperation?: number | null;
}

/** What a content identity wrote, and the path of it as it is now. */
export interface EarlierWrite {
  readonly result: Applied;
  /** Of the content that it is bound to; null: it is not known any more, so nothing is a repeat of it. */
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
  /** The text of the moved or restored file, for a move to or a restore of a marker; else null. */
  readonly markerText: string | null;
  /** Of a draft: the path of another file that already is the provider's object; absent: there is none. */
  readonly materializedAt?: string | null;
}

export interface ChangeContext {
  readonly workspaceExists: boolean;
  readonly access: AccessSubject | null;
  readonly atMs: number;
  /** The next free number of each counter; the effect says how many were taken. */
  readonly nextRevision: number;
  readonly nextOperation: number;
  readonly makesOperations: boolean;
  /** Does anyone acknowledge operations of this provider? If not they are settled at once (contract ruling 16). */
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
  /** The revision whose state came back; absent: it is a change of its own. */
  readonly restoredFrom?: number;
  /** Of a version that never stood at its path: its metadata, and the rules by which it is shown. */
  readonly kept?: { readonly semantics: Semantics; readonly permissions: readonly string[] };
}

export interface EventRecord {
  readonly type: 'file.created' | 'file.updated' | 'file.deleted';
  readonly path: string;
  readonly revision: number;
  readonly hash: string | null;
  /** The permissions in force for the path at this commit (contract ruling 27); empty when none of them is a rule. */
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
  /** Bytes that the written entry brings along; null when they are stored already. */
  readonly content: Content | null;
  readonly history: readonly HistoryRecord[];
  readonly events: readonly EventRecord[];
  readonly operations: readonly OperationRecord[];
  /** Rules of directories that change with a marker file; null permissions take them away. */
  readonly markers: readonly { readonly directory: string; readonly permissions: readonly string[] | null }[];
  readonly identity: {
    readonly identity: ContentIdentity;
    /** Of the content that it is bound to. */
    readonly hash: string;
    readonly expiresAtMs: number;
  } | null;
}

/** `effect` is null when nothing is to be stored: a repeat of what was applied before. */
export type ChangeDecision =
  | Refusal
  | { readonly ok: true; readonly effect: AcceptedChange | null; readonly result: Applied };
