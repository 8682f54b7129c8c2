// Rows of remotes: workspaces of other servers that local workspaces are synced with. Plain data, without content.
import type { Encoding } from '../../core/entry.ts';

export interface RemoteRow {
  readonly remoteId: string;
  readonly workspaceId: string;
  /** The other server, without a path. */
  readonly url: string;
  readonly remoteWorkspaceId: string;
  /** The file that contains the token; the token itself is never stored. */
  readonly tokenFile: string;
  readonly insecureHttp: boolean;
  /** The directory that is synced, the same on both sides; `/` for all. */
  readonly rootPath: string;
  /** As in `.mooringignore`; empty: none. */
  readonly ignoreRules: string;
  /** null: no limit. */
  readonly upBytesPerSecond: number | null;
  readonly downBytesPerSecond: number | null;
  readonly paused: boolean;
  /** Why it halted; null when it did not. Survives restarts. */
  readonly haltedCause: string | null;
  /** The store's epoch in which the base was recorded; in another one the base is unknown. */
  readonly epoch: string;
  /** The epoch of the server's store in which the base was recorded; null: not known, or it has none. */
  readonly serverEpoch: string | null;
  /** true once the first contact was completed. */
  readonly established: boolean;
  /** Everything before this event of the remote is in the base; null: unknown, so the remote is listed. */
  readonly cursor: string | null;
  readonly listedAtMs: number | null;
  readonly lastSyncAtMs: number | null;
  readonly createdAtMs: number;
}

/** A file that both sides last agreed on. */
export interface RemoteBaseFile {
  readonly path: string;
  readonly hash: string;
  readonly sizeBytes: number;
  readonly remoteRevision: string;
  /** Metadata as JSON; empty: none. */
  readonly metadata: string;
}

export interface RemoteBaseRow extends RemoteBaseFile {
  /** The local revision. */
  readonly revision: number;
}

/** A change that was sent to the remote and whose answer is not known yet. */
export interface RemoteSentRow {
  readonly path: string;
  /** null: a deletion. */
  readonly hash: string | null;
  readonly sizeBytes: number;
  /** The local revision that was sent. */
  readonly revision: number;
  readonly contentType: string;
  readonly encoding: Encoding;
  readonly metadata: string;
  /** The remote revision that it replaces; empty: no file. */
  readonly expected: string;
  readonly atMs: number;
}

export interface RemoteConflictRow {
  readonly conflictId: string;
  readonly path: string;
  /** The local version, an ordinary file in the same directory. */
  readonly copyPath: string;
  readonly localHash: string;
  readonly remoteHash: string | null;
  readonly baseHash: string | null;
  readonly atMs: number;
}

/**
 * What is recorded in the transaction of local changes: whenever the agent ends, a remote recognizes what it fetched. One step for
 * each change, in their order; that of a refused one is not recorded.
 */
export interface RemoteBaseUpdate {
  readonly remoteId: string;
  readonly steps: readonly { readonly gone: string | null; readonly file: RemoteBaseFile | null }[];
  readonly conflicts: readonly RemoteConflictRow[];
}

/** Changes of the base outside of a change of content: what the remote has answered, and what both sides have in common. */
export interface SaveRemoteBase {
  readonly remoteId: string;
  readonly upserts: readonly RemoteBaseRow[];
  readonly removals: readonly string[];
  /** Sent changes whose answer is known. */
  readonly answered: readonly string[];
}
