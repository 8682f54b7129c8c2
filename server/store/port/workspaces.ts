// Rows of workspaces, of the tokens for them, and of mirrors: bookkeeping without content. Plain data.
import type { MirrorMode } from '../../contract/words.ts';
import type { SyncedFile } from '../../core/change/change.ts';

export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly deletedAtMs: number | null;
  readonly files: number;
}

export interface TokenRow {
  readonly tokenId: string;
  readonly workspaceId: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
  readonly deletesPerMinute: number | null;
  /** Rounded to the minute; null: never used. */
  readonly lastUsedAtMs: number | null;
  /** The only fork that it may read and write; null: not confined to one. */
  readonly forkId: string | null;
  /** Whose personal token it is; null: it belongs to no user. */
  readonly userId: string | null;
}

// ---- mirrors

export interface MirrorRow {
  readonly mirrorId: string;
  readonly workspaceId: string;
  /** The fork whose files the folder shows; null: the workspace itself. */
  readonly forkId: string | null;
  readonly dir: string;
  readonly mode: MirrorMode;
  /** The directory of the workspace that the folder shows; paths of its base and conflicts count from there. */
  readonly rootPath: string;
  /** Random id that the folder's root marker also contains. */
  readonly markerId: string;
  readonly rootDevice: string;
  readonly rootInode: string;
  readonly paused: boolean;
  /** When the pause ends; null: not paused, or until resumed. */
  readonly pausedUntilMs: number | null;
  /** More deletions per minute halt the mirror; null: the default limit. */
  readonly deletesPerMinuteMax: number | null;
  /** Why it halted; null when it did not. Survives restarts. */
  readonly haltedCause: string | null;
  /** The store's epoch in which the base was recorded; in another one the base is unknown. */
  readonly epoch: string;
  /** true once the first contact was completed. */
  readonly established: boolean;
  readonly lastSyncAtMs: number | null;
  readonly createdAtMs: number;
}

/** A file that both sides last had in common, with its identity on disk at that time. */
export interface BaseRow extends SyncedFile {
  readonly revision: number;
}

/** An intent: written before a system call changes the folder. */
export interface JournalRow {
  readonly id: number;
  readonly action: 'put' | 'remove' | 'move';
  readonly path: string;
  readonly fromPath: string | null;
  readonly tempName: string | null;
  /** What will be there afterwards; null for a removal. */
  readonly hash: string | null;
}

export interface ConflictRow {
  readonly conflictId: string;
  readonly path: string;
  /** The folder's version, an ordinary synced file in the same directory. */
  readonly copyPath: string;
  readonly localHash: string;
  readonly workspaceHash: string | null;
  readonly baseHash: string | null;
  readonly atMs: number;
}

/** That both sides of a mirror and its base were found equal. */
export interface ProofRow {
  readonly atMs: number;
  /** Of the Merkle tree that all three had. */
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  /** Listed reasons apart, a path counts once. */
  readonly leftOut: number;
  /** Of the files, how many were hashed for this; the others' identity proved that they are unchanged since they were. */
  readonly hashedFiles: number;
  readonly hashedBytes: number;
}
