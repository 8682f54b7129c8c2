// The store's port, of mirrors: their bookkeeping only. Content goes through `change`. See port.ts.
import type { MirrorMode } from '../../contract/words.ts';
import type { SyncedFile } from '../../core/change/change.ts';

export interface MirrorRow {
  readonly mirrorId: string;
  readonly workspaceId: string;
  readonly dir: string;
  readonly mode: MirrorMode;
  /** The directory of the workspace that the folder shows; paths of its base and conflicts count from there. */
  readonly rootPath: string;
  /** Random id that also stands in the folder's marker file. */
  readonly markerId: string;
  readonly rootDevice: string;
  readonly rootInode: string;
  readonly paused: boolean;
  /** More deletions than this within a minute are asked about; null: as many as the guard believes by itself. */
  readonly deletesPerMinuteMax: number | null;
  /** Why it halted; null when it did not. Survives restarts. */
  readonly haltedCause: string | null;
  /** The store's epoch in which the base was agreed; another one makes the base unknown. */
  readonly epoch: string;
  /** true once the first contact was completed. */
  readonly established: boolean;
  readonly lastSyncAtMs: number | null;
  readonly createdAtMs: number;
}

/** What both sides last agreed on, with the file's identity on disk at that moment. */
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
  /** The folder's version, an ordinary synced file beside it. */
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
  readonly leftOut: number;
  readonly hashedFiles: number;
  readonly hashedBytes: number;
}

export interface MirrorStore {
  insert(row: MirrorRow): Promise<void>;
  list(): Promise<readonly MirrorRow[]>;
  update(mirrorId: string, patch: Partial<Omit<MirrorRow, 'mirrorId' | 'workspaceId'>>): Promise<void>;
  remove(mirrorId: string): Promise<void>;
  loadBase(mirrorId: string): Promise<readonly BaseRow[]>;
  /** A page of it as it is stored, in the order of paths, after a path. */
  listBase(mirrorId: string, afterPath: string, limit: number): Promise<readonly BaseRow[]>;
  countBase(mirrorId: string): Promise<number>;
  saveBase(mirrorId: string, upserts: readonly BaseRow[], removals: readonly string[]): Promise<void>;
  /** What was proved of it is forgotten, too. */
  clearBase(mirrorId: string): Promise<void>;
  /** In place of the one before. */
  keepProof(mirrorId: string, row: ProofRow): Promise<void>;
  lastProof(mirrorId: string): Promise<ProofRow | null>;
  /** Durable when it resolves; ids stand in the order of the rows. */
  beginIntents(mirrorId: string, rows: readonly Omit<JournalRow, 'id'>[]): Promise<readonly number[]>;
  endIntents(mirrorId: string, ids: readonly number[]): Promise<void>;
  openIntents(mirrorId: string): Promise<readonly JournalRow[]>;
  addConflict(mirrorId: string, row: ConflictRow): Promise<void>;
  removeConflict(mirrorId: string, conflictId: string): Promise<void>;
  listConflicts(mirrorId: string): Promise<readonly ConflictRow[]>;
}
