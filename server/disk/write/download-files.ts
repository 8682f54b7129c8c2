// Temporary files of a batch: complete and proved by their hash before anything is renamed to them (sync-engine rule 8). They lie
// beside the file that they are to become, under a name that stands in the journal already. It touches no other name.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import { errorCode, type FileStat } from '../port/file-system.ts';
import type { FileChunk, FolderOperation, OperationOutcome } from '../port/folder.ts';
import { hashOpen } from '../tree/read-file.ts';
import { asRefusal, type Refused, refusal, targetChanged } from './refusals.ts';
import type { WritePreconditions } from './write-preconditions.ts';

const newFileMode = 0o666;

export type Put = Extract<FolderOperation, { kind: 'put' }>;

/** A temporary file that is complete, waiting to be durable and then for its rename. */
export interface Staged {
  readonly operation: Put;
  readonly handle: number;
  /** As the disk knows it. */
  readonly temp: string;
  readonly written: FileStat;
}

export class TempFiles {
  readonly #ground: WritePreconditions;
  /** Paths whose temporary file could not be removed. */
  readonly leftovers = new Set<string>();

  constructor(ground: WritePreconditions) {
    this.#ground = ground;
  }

  /** Throws what the disk refuses; then no temporary file is left. */
  stage(operation: Put): Staged | Refused {
    return operation.bytes === null ? this.#adopt(operation) : this.#write(operation, operation.bytes);
  }

  /** Throws what the disk refuses; discarding is up to the caller. null: the piece stands where it belongs. */
  add({ path, tempName, expected, position, bytes }: FileChunk): Refused | null {
    const ground = this.#ground;
    const { fs } = ground;
    const parent = parentOf(path) ?? '/';
    const early =
      position === 0
        ? (ground.ensureDirectories(parent) ?? ground.verify(path, expected))
        : ground.checkDirectory(parent);
    if (early !== null) return early;
    const temp = this.#absolute({ path, tempName });
    const handle = position === 0 ? fs.openNew(temp, newFileMode) : fs.openToExtend(temp);
    try {
      // Somebody else's hand was in it, or a piece is missing.
      if (fs.fstat(handle).sizeBytes !== position) return targetChanged();
      fs.write(handle, bytes);
      return null;
    } finally {
      fs.close(handle);
    }
  }

  #write(operation: Put, bytes: Uint8Array): Staged | Refused {
    const ground = this.#ground;
    if (sha256Hex(bytes) !== operation.hash) {
      return refusal('failed', 'EHASH', 'The bytes to write are not the ones that were announced.');
    }
    const early =
      ground.ensureDirectories(parentOf(operation.path) ?? '/') ??
      ground.verify(operation.path, operation.expected);
    if (early !== null) return early;
    const handle = ground.fs.openNew(this.#absolute(operation), newFileMode);
    return this.#finish(operation, handle, () => ground.fs.write(handle, bytes));
  }

  /** Its pieces were written before. */
  #adopt(operation: Put): Staged | Refused {
    const ground = this.#ground;
    const parent = parentOf(operation.path) ?? '/';
    try {
      const early = ground.checkDirectory(parent) ?? ground.verify(operation.path, operation.expected);
      if (early === null)
        return this.#finish(operation, ground.fs.openToExtend(this.#absolute(operation)), () => undefined);
      this.discard(operation);
      return early;
    } catch (error) {
      this.discard(operation);
      throw error;
    }
  }

  #finish(operation: Put, handle: number, write: () => void): Staged {
    const { fs } = this.#ground;
    try {
      write();
      const mode = operation.mode ?? operation.expected?.mode ?? null;
      if (mode !== null) fs.setMode(handle, mode);
      const written = fs.fstat(handle);
      if (hashOpen(fs, handle, written.sizeBytes) !== operation.hash) {
        throw Object.assign(new Error('The disk does not return what was written.'), { code: 'EVERIFY' });
      }
      return { operation, handle, temp: this.#absolute(operation), written };
    } catch (error) {
      fs.close(handle);
      this.discard(operation);
      throw error;
    }
  }

  discard(of: Pick<Put, 'path' | 'tempName'>): void {
    // Durably: the journal forgets it when the batch is finished.
    this.#ground.touched(parentOf(of.path) ?? '/');
    try {
      this.#ground.fs.unlink(this.#absolute(of));
    } catch (error) {
      // Already renamed or never made. Otherwise the journal still names it, and the next start removes it.
      if (errorCode(error) !== 'ENOENT') this.leftovers.add(of.path);
    }
  }

  #absolute({ path, tempName }: Pick<Put, 'path' | 'tempName'>): string {
    return this.#ground.absolute(joinPath(parentOf(path) ?? '/', tempName));
  }
}

/** `unsynced`: directories whose names are not durable. */
export function appendChunk(
  ground: WritePreconditions,
  piece: FileChunk,
): { readonly outcome: OperationOutcome; readonly unsynced: readonly string[] } {
  const temps = new TempFiles(ground);
  let refusal = asRefusal<Refused | null>(() => temps.add(piece));
  if (refusal !== null) temps.discard(piece);
  let failed = ground.syncDirectories();
  if (refusal === null && failed.size > 0) {
    [refusal = null] = failed.values();
    temps.discard(piece);
    failed = ground.syncDirectories();
  }
  if (refusal === null) return { outcome: { ok: true, file: null }, unsynced: [] };
  const unfinished = failed.size + temps.leftovers.size > 0;
  return { outcome: unfinished ? { ...refusal, unfinished } : refusal, unsynced: [...failed.keys()] };
}

/** false: it may still be there. */
export function discardChunks(ground: WritePreconditions, path: string, tempName: string): boolean {
  const temps = new TempFiles(ground);
  if (ground.checkDirectory(parentOf(path) ?? '/') !== null) return false;
  temps.discard({ path, tempName });
  return ground.syncDirectories().size + temps.leftovers.size === 0;
}
