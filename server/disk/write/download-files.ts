// Temporary files of downloads: written whole or in chunks, and verified by their hash before the rename (docs/sync-rules.md#8). They
// are in the directory of their target, under a name that the journal contains. It changes no other file.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import { errorCode, type FileStat } from '../port/file-system.ts';
import type { FileChunk, FolderOperation, OperationOutcome } from '../port/folder.ts';
import { hashOpen } from '../tree/read-file.ts';
import { asRefusal, type Refused, refusal, targetChanged } from './refusals.ts';
import type { WritePreconditions } from './write-preconditions.ts';

const newFileMode = 0o666;

export type Put = Extract<FolderOperation, { kind: 'put' }>;

/** A complete temporary file, before its fsync and rename. */
export interface Staged {
  readonly operation: Put;
  readonly handle: number;
  /** Absolute path. */
  readonly temp: string;
  readonly written: FileStat;
}

export class TempFiles {
  readonly #preconditions: WritePreconditions;
  /** Paths whose temporary file could not be removed. */
  readonly leftovers = new Set<string>();

  constructor(preconditions: WritePreconditions) {
    this.#preconditions = preconditions;
  }

  /** Throws an error of the disk; then no temporary file is left. */
  stage(operation: Put): Staged | Refused {
    return operation.bytes === null ? this.#adopt(operation) : this.#write(operation, operation.bytes);
  }

  /** Throws an error of the disk; the caller discards the file. null: the chunk was written. */
  append({ path, tempName, expected, position, bytes }: FileChunk): Refused | null {
    const preconditions = this.#preconditions;
    const { fs } = preconditions;
    const parent = parentOf(path) ?? '/';
    const refused =
      position === 0
        ? (preconditions.ensureDirectories(parent) ?? preconditions.verify(path, expected))
        : preconditions.checkDirectory(parent);
    if (refused !== null) return refused;
    const temp = this.#absolute({ path, tempName });
    const handle = position === 0 ? fs.openNew(temp, newFileMode) : fs.openToExtend(temp);
    try {
      // Another program changed it, or a chunk is missing.
      if (fs.fstat(handle).sizeBytes !== position) return targetChanged();
      fs.write(handle, bytes);
      return null;
    } finally {
      fs.close(handle);
    }
  }

  #write(operation: Put, bytes: Uint8Array): Staged | Refused {
    const preconditions = this.#preconditions;
    if (sha256Hex(bytes) !== operation.hash) {
      return refusal('failed', 'EHASH', 'The bytes to write do not match their hash.');
    }
    const refused =
      preconditions.ensureDirectories(parentOf(operation.path) ?? '/') ??
      preconditions.verify(operation.path, operation.expected);
    if (refused !== null) return refused;
    const handle = preconditions.fs.openNew(this.#absolute(operation), newFileMode);
    return this.#finish(operation, handle, () => preconditions.fs.write(handle, bytes));
  }

  /** Its chunks are written. */
  #adopt(operation: Put): Staged | Refused {
    const preconditions = this.#preconditions;
    const parent = parentOf(operation.path) ?? '/';
    try {
      const refused =
        preconditions.checkDirectory(parent) ?? preconditions.verify(operation.path, operation.expected);
      if (refused === null)
        return this.#finish(
          operation,
          preconditions.fs.openToExtend(this.#absolute(operation)),
          () => undefined,
        );
      this.discard(operation);
      return refused;
    } catch (error) {
      this.discard(operation);
      throw error;
    }
  }

  #finish(operation: Put, handle: number, write: () => void): Staged {
    const { fs } = this.#preconditions;
    try {
      write();
      const mode = operation.mode ?? operation.expected?.mode ?? null;
      if (mode !== null) fs.setMode(handle, mode);
      const written = fs.fstat(handle);
      if (hashOpen(fs, handle, written.sizeBytes) !== operation.hash) {
        throw Object.assign(new Error('The disk does not return the bytes that were written.'), {
          code: 'EVERIFY',
        });
      }
      return { operation, handle, temp: this.#absolute(operation), written };
    } catch (error) {
      fs.close(handle);
      this.discard(operation);
      throw error;
    }
  }

  discard(file: Pick<Put, 'path' | 'tempName'>): void {
    // Its directory is synced: the journal row ends with the batch.
    this.#preconditions.touched(parentOf(file.path) ?? '/');
    try {
      this.#preconditions.fs.unlink(this.#absolute(file));
    } catch (error) {
      // Already renamed or never created. Otherwise the journal names it, and the next start removes it.
      if (errorCode(error) !== 'ENOENT') this.leftovers.add(file.path);
    }
  }

  #absolute({ path, tempName }: Pick<Put, 'path' | 'tempName'>): string {
    return this.#preconditions.absolute(joinPath(parentOf(path) ?? '/', tempName));
  }
}

/** Appends a chunk to its temporary file; no file stays open between two chunks. `unsynced`: directories that could not be synced. */
export function appendChunk(
  preconditions: WritePreconditions,
  chunk: FileChunk,
): { readonly outcome: OperationOutcome; readonly unsynced: readonly string[] } {
  const temps = new TempFiles(preconditions);
  let refusal = asRefusal<Refused | null>(() => temps.append(chunk));
  if (refusal !== null) temps.discard(chunk);
  let failed = preconditions.syncDirectories();
  if (refusal === null && failed.size > 0) {
    [refusal = null] = failed.values();
    temps.discard(chunk);
    failed = preconditions.syncDirectories();
  }
  if (refusal === null) return { outcome: { ok: true, file: null }, unsynced: [] };
  const unfinished = failed.size + temps.leftovers.size > 0;
  return { outcome: unfinished ? { ...refusal, unfinished } : refusal, unsynced: [...failed.keys()] };
}

/** false: the temporary file may still exist. */
export function discardChunks(preconditions: WritePreconditions, path: string, tempName: string): boolean {
  const temps = new TempFiles(preconditions);
  if (preconditions.checkDirectory(parentOf(path) ?? '/') !== null) return false;
  temps.discard({ path, tempName });
  return preconditions.syncDirectories().size + temps.leftovers.size === 0;
}
