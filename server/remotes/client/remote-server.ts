// What a remote asks of the other server, independent of how: any v1 server, or one that a test invents. Bytes in place of texts, and
// results in place of status codes.
import type { Semantics } from '../../contract/common.ts';
import type { Encoding } from '../../core/entry.ts';

/** A file as a list or an event of the other server names it. */
export interface RemoteFile {
  readonly path: string;
  /** Opaque; `rev_<n>` on every known server. */
  readonly revision: string;
  /** SHA-256 hex; null: the server did not say. */
  readonly hash: string | null;
  /** `unknown`: only reading the file shows its metadata. */
  readonly metadata: 'none' | 'some' | 'unknown';
}

/** A version of a file. */
export interface RemoteVersion {
  readonly path: string;
  readonly revision: string;
  readonly hash: string;
  readonly sizeBytes: number;
  /** null: they are more than was asked for, and `readPieces` has them. */
  readonly bytes: Uint8Array | null;
  readonly contentType: string;
  readonly encoding: Encoding;
  /** null: the answer does not contain it. */
  readonly semantics: Semantics | null;
}

export type RemoteRead =
  | { readonly kind: 'file'; readonly version: RemoteVersion }
  | { readonly kind: 'missing' }
  /** The token may not read it any more. */
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'failed'; readonly message: string };

export interface RemoteWrite {
  readonly path: string;
  /** The revision that it replaces; empty: there must be no file. */
  readonly expected: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly encoding: Encoding;
  readonly semantics: Semantics;
  /** Equal for a repetition of the same write, so that it is applied once. */
  readonly identity: string;
}

/** A large file to write, whose metadata is empty on both sides. */
export interface LargeWrite extends Omit<RemoteWrite, 'bytes' | 'semantics'> {
  readonly sizeBytes: number;
  /** Each call begins anew. null: the content is gone. */
  readonly open: () => Promise<AsyncIterable<Uint8Array> | null>;
}

export type RemoteWritten =
  | { readonly kind: 'written'; readonly revision: string }
  /** It has another revision than expected, or none. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'forbidden'; readonly message: string }
  /** The server does not store it: its name, its size or its content. */
  | { readonly kind: 'refused'; readonly message: string };

export interface RemoteEvent {
  /** Opaque: the position after this event, and which event it is. */
  readonly cursor: string;
  readonly type: string;
  readonly path: string;
  readonly revision: string;
  readonly hash: string | null;
}

export interface RemoteEventPage {
  readonly events: readonly RemoteEvent[];
  /** The position after the page. */
  readonly cursor: string | null;
  readonly more: boolean;
  /** Events after the cursor are no longer retained. */
  readonly gap: boolean;
}

export interface RemoteWatchListener {
  onEvent(event: RemoteEvent): void;
  /** Events were lost: everything must be listed. */
  onGap(): void;
  /** The server cannot be reached, or refuses; the watch has ended. */
  onEnd(error: unknown): void;
}

export interface RemoteServer {
  /** Its clock minus the clock here, of the last answer; null: no answer stated it. */
  readonly clockOffsetMs: number | null;
  /**
   * Of the server's store, known after `identify`: another server at the same address, or the same one with restored files, answers no
   * call of this connection. null: it has none, and the feed shows it.
   */
  readonly epoch: string | null;
  /** `mooring`: it has everything that is in this project's contract. Confirms that the server answers. */
  identify(signal: AbortSignal): Promise<'mooring' | 'other'>;
  /** The newest event; null: there is none. */
  tip(signal: AbortSignal): Promise<RemoteEvent | null>;
  /** The event of this cursor, if it is still in the feed as it was. null: it is not, though newer or older ones are. */
  eventAt(cursor: string, signal: AbortSignal): Promise<RemoteEvent | null>;
  /** The number of the newest revision that the feed has before this cursor; null: no recent event before it has one. */
  revisionBefore(cursor: string, signal: AbortSignal): Promise<number | null>;
  /** Pages of all files at or below a directory. */
  list(directory: string, signal: AbortSignal): AsyncIterable<readonly RemoteFile[]>;
  /** Events after a cursor, oldest first. */
  events(cursor: string | null, signal: AbortSignal): Promise<RemoteEventPage>;
  /** Events as they happen, after a cursor, without a gap over reconnects. Ends with the signal. */
  watch(cursor: string | null, listener: RemoteWatchListener, signal: AbortSignal): void;
  /** One answer for each file, in their order. `contentBytesMax`: a server that can leaves out contents of more bytes. */
  read(
    files: readonly Pick<RemoteFile, 'path' | 'metadata'>[],
    signal: AbortSignal,
    contentBytesMax?: number,
  ): Promise<readonly RemoteRead[]>;
  /** The bytes of a version from there on, as they arrive. Rejects with a RemoteVersionGoneError when the server keeps it no longer. */
  readPieces(
    version: Pick<RemoteVersion, 'path' | 'revision' | 'sizeBytes'>,
    start: number,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;
  /** One result for each write, in their order. Each is applied at most once, also when it is repeated with the same identity. */
  write(writes: readonly RemoteWrite[], signal: AbortSignal): Promise<readonly RemoteWritten[]>;
  /** Writes one large file as a stream. As `write`: at most once. */
  writeLarge(write: LargeWrite, signal: AbortSignal): Promise<RemoteWritten>;
  /** Deletes a file that has this revision. `written`: it is gone, also when it was before. */
  remove(path: string, expected: string, signal: AbortSignal): Promise<RemoteWritten>;
}

/** The server cannot be reached, or answers that it is unavailable. Nothing is known about what was sent. */
export class RemoteUnavailableError extends Error {
  override readonly name = 'RemoteUnavailableError';
  /** From Retry-After; null: not stated. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The server does not give that version of a file any more: it was replaced, or may not be read. */
export class RemoteVersionGoneError extends Error {
  override readonly name = 'RemoteVersionGoneError';
}

/** The token is missing, unreadable, expired or refused. */
export class RemoteUnauthorizedError extends Error {
  override readonly name = 'RemoteUnauthorizedError';
}

/** The server answers, and it is not what the remote needs: no such workspace, not a v1 server, a redirection. */
export class RemoteRefusedError extends Error {
  override readonly name = 'RemoteRefusedError';
}
