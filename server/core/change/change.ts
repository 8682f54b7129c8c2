// Decisions on changes of workspace content: load, decide, persist. Here is only "decide": pure functions from a
// command and the loaded state to a decision. No I/O, clock or randomness: times and numbers are handed in.
import type { Semantics } from '../../contract/common.ts';
import type { ContentIdentity } from '../../contract/files.ts';
import type { Origin } from '../../contract/words.ts';
import type { AccessSubject, Actor, Encoding, FileEntry } from '../entry.ts';

/** Bytes for the store: a small content as a binary string (Latin-1, a character per byte), a large one as a durable blob file. */
export type Content =
  | { readonly hash: string; readonly sizeBytes: number; readonly binary: string }
  | { readonly hash: string; readonly sizeBytes: number; readonly staged: true }
  /** A retained revision names it. */
  | { readonly hash: string; readonly sizeBytes: number; readonly stored: true };

/** `any`: create or overwrite. `absent`: must not exist. `revision`: must have this revision. `content`: must have this content. */
export type Precondition =
  | { readonly kind: 'any' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'revision'; readonly revision: string }
  | { readonly kind: 'content'; readonly hash: string };

export interface WriteFile {
  readonly kind: 'write_file';
  readonly path: string;
  readonly precondition: Precondition;
  readonly content: Content;
  /** Absent: keep the existing entry's, else `defaultContentType`. */
  readonly contentType?: string;
  readonly defaultContentType: string;
  readonly encoding: Encoding;
  /** Absent or empty keeps the existing metadata, unless it replaces it. */
  readonly semantics?: Semantics;
  readonly replacesSemantics?: true;
  readonly contentIdentity?: ContentIdentity;
  /** SHA-256 hex of the caller's bytes, where the content is derived from them; absent: they are the content. */
  readonly identityHash?: string;
  /** The decoded text, for ACL files only. */
  readonly aclText?: string;
  readonly providerObjectId?: string;
}

export interface DeleteFile {
  readonly kind: 'delete_file';
  readonly path: string;
  readonly precondition: Precondition;
}

/** Moves a file with its content, metadata, provider identity and history; nothing is transferred. */
export interface MoveFile {
  readonly kind: 'move_file';
  readonly from: string;
  readonly to: string;
  readonly precondition: Precondition;
  /** The content at the new path; absent: unchanged. Absent or empty metadata is kept. */
  readonly replacement?: Pick<WriteFile, 'content' | 'contentType' | 'encoding' | 'semantics' | 'aclText'>;
}

/** A draft whose provider has named it: it moves to its target, or is deleted when the provider's file is there already. */
export interface MoveDraft {
  readonly kind: 'place_draft';
  readonly from: string;
  readonly to: string;
  /** The provider's id of the draft's file; null when the provider named only the path. */
  readonly externalId: string | null;
  /** The revision that was sent to the provider. */
  readonly sentRevision: number;
}

/** A retained revision of a file, as a restore writes it. */
export interface PastRevision {
  readonly revision: number;
  readonly hash: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly encoding: Encoding;
  readonly semantics: Semantics;
}

/** Writes the content and metadata of a retained revision, whatever the path contains now. Nothing is transferred. */
export interface RestoreFile {
  readonly kind: 'restore_file';
  readonly path: string;
  readonly from: PastRevision;
}

/**
 * A version that never was at its path and must still be in its history: an input of a merge. The following change writes the path,
 * so the newest revision is the current one.
 */
export interface RetainVersion {
  readonly kind: 'keep_version';
  readonly path: string;
  readonly content: Content;
  readonly encoding: Encoding;
}

export type FileChange = WriteFile | DeleteFile | MoveFile | MoveDraft | RetainVersion | RestoreFile;

/** The path that a refusal names. */
export function pathOfChange(change: FileChange): string {
  return change.kind === 'move_file' || change.kind === 'place_draft' ? change.from : change.path;
}

/** A file of a mirrored folder: its content and its identity on disk. */
export interface SyncedFile {
  readonly path: string;
  readonly hash: string;
  readonly sizeBytes: number;
  /** Decimal strings: nanoseconds and inode numbers exceed 2^53. */
  readonly mtimeNs: string;
  readonly ctimeNs: string;
  readonly inode: string;
  readonly mode: number;
  /** false: changed so close to the scan that size and times prove nothing (docs/sync-rules.md#5); hash again. */
  readonly trusted: boolean;
}

/**
 * The base entries that are recorded in the transaction of the changes: whenever the agent ends, a mirror recognizes its own
 * uploads. Paths count from the mirror's root.
 */
export interface BaseUpdate {
  readonly mirrorId: string;
  /** One for each change, in their order; that of a refused one is not noted. */
  readonly steps: readonly { readonly gone: string | null; readonly file: SyncedFile | null }[];
}

/** One request of one caller: its changes run in order, each loading after its predecessor has persisted. */
export interface ChangeFiles {
  readonly kind: 'change_files';
  readonly workspaceId: string;
  readonly changes: readonly FileChange[];
  /** true: one refused change refuses all (a change of type from the folder). false: refused ones are reported each. */
  readonly atomic: boolean;
  readonly actor: Actor;
  readonly origin: Origin;
  readonly access: AccessSubject | null;
  readonly correlationId: string;
  /** false for changes of a provider and for system moves. */
  readonly makesOperations: boolean;
  /** Of a mirror only. */
  readonly agreement?: BaseUpdate;
}

export type RefusalCode =
  | 'revision_conflict'
  | 'not_found'
  | 'forbidden'
  | 'invalid_path'
  | 'invalid_content'
  | 'path_conflict'
  | 'workspace_not_found'
  | 'not_applied';

export interface Refusal {
  readonly ok: false;
  readonly path: string;
  readonly code: RefusalCode;
  readonly message: string;
  /** As in If-Match, for revision_conflict and for not_found where a state was expected. */
  readonly expectedRevision?: string;
  /** `rev_<n>`, for revision_conflict. */
  readonly currentRevision?: string;
  /** The current entry, for the preview of a conflict answer. */
  readonly current?: FileEntry;
  /** What the content identity of the change had written. Only for the agent itself: a caller may not know of the path. */
  readonly earlier?: { readonly path: string; readonly revision: number; readonly hash: string | null };
}

export interface Applied {
  readonly ok: true;
  readonly path: string;
  /** The revision of the change (deletes included). */
  readonly revision: number;
  /** Of a change in a fork: the fork in which `revision` counts. */
  readonly forkId?: string;
  readonly opId: string | null;
  readonly provider: string;
  readonly contentType: string;
  readonly contentIdentity?: ContentIdentity;
  /** true: this content identity was applied before; nothing was written, and the earlier result is answered. */
  readonly repeated: boolean;
}

export type ChangeResult = Applied | Refusal;
