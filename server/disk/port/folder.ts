// The port of a mirrored folder: scan, read, apply, hints. worker/worker-folder.ts implements it with a thread on the real disk;
// the simulation runs the same engine on a simulated disk. Paths are wire paths (`/a/b`) below the root. It knows neither
// workspaces nor the store.
import type { SyncedFile } from '../../core/change/change.ts';
import type { OwnFilesByDirectory } from '../../core/sync/merkle.ts';

/** Its sizes and times are the identity of its state (docs/sync-rules.md#5). `trusted` false: it is hashed again next time. */
export interface FolderFile extends Omit<SyncedFile, 'path'> {
  readonly kind: 'file';
}

export type BlockedReason = 'symlink' | 'other_disk' | 'special_file' | 'unreadable' | 'too_large' | 'name';

export type FolderEntry =
  | FolderFile
  /** A directory where a file is or was expected. */
  | { readonly kind: 'directory' }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly detail: string };

export interface FolderChange {
  readonly path: string;
  /** null: nothing is there any more. */
  readonly entry: FolderEntry | null;
}

/** In their order. A list of many is in columns (tree/change-list.ts): each is made when it is asked for. */
export interface FolderChanges extends Iterable<FolderChange> {
  readonly length: number;
}

export interface PresentRoot {
  readonly kind: 'present';
  readonly device: string;
  readonly inode: string;
  readonly markerId: string | null;
}

export type RootState =
  | PresentRoot
  | { readonly kind: 'missing' }
  | { readonly kind: 'not_directory' }
  | { readonly kind: 'unreadable'; readonly detail: string };

export interface IgnoreFile {
  /** The directory whose `.mooringignore` it is. */
  readonly directory: string;
  /** null: larger than a rule file may be. */
  readonly text: string | null;
}

export interface ScanResult {
  readonly root: RootState;
  /** Since the last scan; the first one reports against the options of `open`. Empty unless the root is the one opened. */
  readonly changes: FolderChanges;
  /** All rules of the folder, when they changed; null when not. */
  readonly ignoreFiles: readonly IgnoreFile[] | null;
  /** All paths that have changed and are not at rest yet: their content is not known. */
  readonly unsettled: readonly string[];
  /** Those of them that the disk still refuses to make durable. */
  readonly undurable: readonly string[];
  /** How many of them exist as a file. */
  readonly arriving: number;
  /** When they should be checked again; null: nothing waits. */
  readonly recheckInMs: number | null;
  readonly durationMs: number;
  /** Processor time of the folder's thread; 0: nothing was scanned. */
  readonly cpuMs: number;
  /** The whole folder was scanned, whatever was asked for. */
  readonly isFull: boolean;
  /** The watcher reports every change of this folder, as far as is known: full scans may be rare (docs/sync-rules.md#6). */
  readonly isWatched: boolean;
}

/**
 * `dirty`: only where hints pointed and what waits to settle. `barrier`: the same once all hints of earlier changes have arrived;
 * `full` where that cannot be proved (docs/sync-rules.md#25).
 */
export type ScanScope = 'full' | 'barrier' | 'dirty';

/** How far a scan is: files that had to be read, and their bytes. */
export interface ScanProgress {
  readonly done: { readonly files: number; readonly bytes: number };
  /** null while it still looks for what has to be read. */
  readonly total: { readonly files: number; readonly bytes: number } | null;
}

export interface ReadRequest {
  readonly path: string;
  readonly expected: FolderFile;
}

export type ReadOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  /** It is not what was seen any more; its directory will be scanned again. */
  | { readonly ok: false };

/** A piece of a file that is too large to be read whole. */
export interface ChunkRequest extends ReadRequest {
  readonly position: number;
  readonly bytesMax: number;
}

/** The next bytes of the temporary file of a put that names none: position 0 makes the file. */
export interface FileChunk {
  /** The path, the name and what must stand there, as the put will say. */
  readonly path: string;
  readonly tempName: string;
  readonly expected: FolderFile | null;
  /** So many bytes were written before. */
  readonly position: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type FolderOperation =
  | {
      readonly kind: 'put';
      readonly path: string;
      /** Name of the temporary file in the same directory; the journal contains it before this is called. */
      readonly tempName: string;
      /** null: they were sent in pieces before and are in the temporary file. */
      readonly bytes: Uint8Array | null;
      readonly hash: string;
      /** The file that must be there at the last moment; null: none. */
      readonly expected: FolderFile | null;
      /** The existing file gets this name first, in the same step: it is a version of its own. */
      readonly asidePath: string | null;
      /** Permission bits of the file; null or absent: those of the replaced file, else the system's defaults. */
      readonly mode?: number | null;
    }
  | { readonly kind: 'remove'; readonly path: string; readonly expected: FolderFile }
  /** Renames the existing entry; never onto another one. */
  | {
      readonly kind: 'move_aside';
      readonly path: string;
      readonly asidePath: string;
      readonly expected: FolderFile | null;
    };

export type OperationOutcome =
  /** `file`: the file at the path now (null after a removal or a move aside). */
  | { readonly ok: true; readonly file: FolderFile | null }
  /**
   * `changed`: not what was planned any more; the next scan reports it. `directory`: a directory has the name.
   * `link`: a parent is a link or no directory. `taken`: the name to step aside to is taken. `spelling`: the
   * name exists in another spelling, on a disk that folds names. `failed`: the disk refused.
   * `steppedAside`: the existing file was renamed all the same. `unfinished`: a power cut may still undo what was
   * done, or a temporary file is left: the journal must not forget it.
   */
  | {
      readonly ok: false;
      readonly steppedAside?: boolean;
      readonly unfinished?: boolean;
      readonly reason:
        | 'changed'
        | 'directory'
        | 'link'
        | 'other_disk'
        | 'taken'
        | 'spelling'
        | 'failed'
        | 'root';
      readonly code: string;
      readonly detail: string;
    };

/** Files in columns, as they cross to another thread: row n of each column is one of them (tree/packed-files.ts). */
export interface PackedFiles {
  /** Each with a NUL after it, which no path holds. */
  readonly paths: string;
  /** SHA-256, in hex, all of one length. */
  readonly hashes: string;
  readonly sizeBytes: Float64Array;
  readonly mtimeNs: BigInt64Array;
  readonly ctimeNs: BigInt64Array;
  readonly inodes: BigUint64Array;
  readonly modes: Uint16Array;
  readonly trusted: Uint8Array;
}

export interface OpenFolder {
  readonly root: string;
  /** What was agreed on about all files, in any number of parts. */
  readonly known: readonly PackedFiles[];
  readonly fileBytesMax: number;
}

export type WatchState = 'events' | 'polling';

/** `code`: the system's, or ESILENT when it accepts watches but reports no event. */
export interface WatchTrouble {
  readonly code: string;
  /** The limit that was reached, as sysctl knows it; null: none that is known. */
  readonly limit: { readonly setting: string; readonly value: number } | null;
}

/** What a proof wants to know of the folder. */
export interface ProofRequest {
  /** Paths that are left out, with all that is below them. */
  readonly leftOut: readonly string[];
  /** Hash every file; false: only files whose identity does not prove that they are unchanged (docs/sync-rules.md#5). */
  readonly rehash: boolean;
  /** Only the files directly in these, one by one; null: all directories, as digests. */
  readonly directories: readonly string[] | null;
}

export interface FolderProof {
  readonly ownFiles: OwnFilesByDirectory;
  /** Of the directories that were asked for. */
  readonly files: readonly { readonly path: string; readonly hash: string }[];
  readonly hashedFiles: number;
  readonly hashedBytes: number;
  /** What the disk refused to show: nothing is known of it, which is not the same as its being gone. */
  readonly unreadable: readonly { readonly path: string; readonly detail: string }[];
  /** The folder changed meanwhile, or is not the opened one: nothing follows from what was found. */
  readonly isMoving: boolean;
}

export interface ProofSlice {
  /** null: more slices follow. */
  readonly proof: FolderProof | null;
  readonly tookMs: number;
}

/** How far the pass is that hashes everything once more. */
export interface RehashSlice {
  /** Since it began. */
  readonly files: number;
  readonly bytes: number;
  /** Found in this slice: files that look unchanged and hold other bytes than were known. */
  readonly suspects: readonly string[];
  readonly ended: boolean;
  readonly tookMs: number;
}

/** A file in the private folder for tools that work in the mirrored folder. */
export interface FolderNote {
  readonly name: 'README.md' | 'state.json';
  readonly text: string;
}

export interface Folder {
  /** Inspects the root, and which names the disk can hold. Call again to start over from other knowledge. */
  open(options: OpenFolder): Promise<{ readonly root: RootState; readonly names: NameRules }>;
  /** Starts to give hints; 'polling' when the system gives none. */
  watch(): Promise<WatchState>;
  scan(scope: ScanScope): Promise<ScanResult>;
  /** Makes the next scan read a directory, as a hint would. */
  markDirty(directory: string): void;
  read(requests: readonly ReadRequest[]): Promise<readonly ReadOutcome[]>;
  /** As many bytes as were asked for, or up to the file's end; of the very file that was seen. */
  readPiece(request: ChunkRequest): Promise<ReadOutcome>;
  /** One at a time for each file, in order. The bytes change hands. Refused: no temporary file is left, if not `unfinished`. */
  writePiece(piece: FileChunk): Promise<OperationOutcome>;
  /** The temporary file is not wanted any more. false: it may still be there, and the journal must not forget it. */
  dropPieces(path: string, tempName: string): Promise<boolean>;
  /** In order; durable when it resolves. One refused operation does not stop the others. */
  apply(operations: readonly FolderOperation[]): Promise<readonly OperationOutcome[]>;
  /** Finishes what a crash left half done (mirror/actions/journal.ts). For each: was a file moved aside? */
  recover(intents: readonly RecoverIntent[]): Promise<readonly boolean[]>;
  /** Writes the marker file of this mirror into the root. */
  mark(markerId: string): Promise<void>;
  /** Replaces notes in the private folder. false: the opened root is not there, or is not marked. Rejects where the disk refuses. */
  writeNotes(notes: readonly FolderNote[]): Promise<boolean>;
  /** A slice of a proof's listing: a request begins a new listing, null continues it. */
  prove(request: ProofRequest | null): Promise<ProofSlice>;
  /** A slice of the pass over all files; the one after the last begins anew. */
  rehash(): Promise<RehashSlice>;
  close(): Promise<void>;
}

export type RecoverIntent =
  | { readonly kind: 'temp'; readonly path: string; readonly tempName: string }
  | { readonly kind: 'aside'; readonly path: string; readonly asidePath: string };

/** The events of a folder. */
export interface FolderListener {
  /** The folder changed; scan `dirty`, or `full` when hints may have been lost. */
  onHint(scope: 'full' | 'dirty'): void;
  /** Now and then while a scan takes long. */
  onScanProgress?(progress: ScanProgress): void;
  /** `trouble`: why there are no hints; null with 'events'. */
  onWatchState(state: WatchState, trouble: WatchTrouble | null): void;
  /** The folder stopped working altogether; open a new one. */
  onFailure(error: Error): void;
}
export interface NameRules {
  /** `A` and `a` are one name. */
  readonly foldsCase: boolean;
  /** NFC and NFD forms are one name. */
  readonly foldsUnicode: boolean;
  /** Every name is shown with its accents as characters of their own (NFD), however it was made. */
  readonly decomposes: boolean;
  /** Names and characters that Windows reserves. */
  readonly windows: boolean;
  /** Bytes of the root and a path together. */
  readonly pathBytesMax: number;
  readonly rootBytes: number;
}
