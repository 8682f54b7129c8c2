// Entries of a workspace and their metadata, as plain data for every module.
import type { Semantics } from '../contract/common.ts';

export type Encoding = 'utf-8' | 'base64';

/** The current state of a file of a workspace. */
export interface FileEntry {
  readonly type: 'file';
  readonly path: string;
  /** The integer of `rev_<n>`, or in a fork of `fork:<forkId>:<n>`. */
  readonly revision: number;
  /** The fork that contains this state; absent: the workspace. */
  readonly forkId?: string;
  /** SHA-256 hex of the bytes. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  /** How the content is answered on the wire; the stored bytes are always decoded. */
  readonly encoding: Encoding;
  /** First path segment, lower-cased. */
  readonly provider: string;
  readonly providerObjectId: string | null;
  readonly editedAtMs: number;
  readonly semantics: Semantics;
}

/** A directory, implied by the files below it. */
export interface DirEntry {
  readonly type: 'dir';
  readonly path: string;
  readonly files: number;
  readonly updatedAtMs: number;
}

export type Entry = FileEntry | DirEntry;

/** The caller as access rules see it. null in place of a subject: the agent itself, no rule applies. */
export interface AccessSubject {
  readonly workspaceId: string;
  readonly agent: string;
  /** Scope strings exactly as the token contains them. */
  readonly scopes: readonly string[];
  /** Subjects of the parent tokens, nearest first: what is denied to one of them is denied to it. */
  readonly parents?: readonly AccessSubject[];
}

/** Who made a change, as history shows it. */
export interface Actor {
  readonly kind: 'token' | 'mirror' | 'provider' | 'system' | 'remote';
  /** Agent name of the token, `Folder` for a mirror, the provider's name, `system`, or the host of a remote. */
  readonly name: string;
  readonly tokenId: string | null;
}

/** A revision as clients know it. */
export function revisionName({ revision, forkId }: Pick<FileEntry, 'revision' | 'forkId'>): string {
  return forkId === undefined ? `rev_${revision}` : `fork:${forkId}:${revision}`;
}
