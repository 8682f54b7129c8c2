// What a workspace holds: entries and their metadata. Plain data that every room may pass around.
import type { Semantics } from '../contract/common.ts';

export type Encoding = 'utf-8' | 'base64';

/** A file of a workspace as it is now. */
export interface FileEntry {
  readonly type: 'file';
  readonly path: string;
  /** The integer of `rev_<n>`, or in a fork of `fork:<forkId>:<n>`. */
  readonly revision: number;
  /** The fork that alone holds this state; absent: it stands, or stood, in the workspace itself. */
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

/** Who asks, as far as access rules care. `null` in place of a subject means: the agent itself, no rule applies. */
export interface AccessSubject {
  readonly workspaceId: string;
  readonly agent: string;
  /** Scope strings exactly as they stand in the token. */
  readonly scopes: readonly string[];
  /** Those under whom this one was let in: what is closed to any of them is closed to it. */
  readonly under?: readonly AccessSubject[];
}

/** Who did something, as history tells it. */
export interface Actor {
  readonly kind: 'token' | 'mirror' | 'provider' | 'system';
  /** Agent name of the token, `Folder` for a mirror, the provider's name, or `system`. */
  readonly name: string;
  readonly tokenId: string | null;
}

/** A revision as clients know it. */
export function revisionName({ revision, forkId }: Pick<FileEntry, 'revision' | 'forkId'>): string {
  return forkId === undefined ? `rev_${revision}` : `fork:${forkId}:${revision}`;
}
