// Temporary files of a batch: complete and proved by their hash before anything is renamed to them (sync-engine rule 8). They lie
// beside the file that they are to become, under a name that stands in the journal already. It touches no other name.
import { joinPath, parentOf } from '../core/path.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { errorCode, type FileStat } from './file-system.ts';
import type { FolderOperation } from './folder.ts';
import type { Ground } from './ground.ts';
import { hashOpen } from './read-file.ts';
import { type Refused, refused } from './refusal.ts';

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
  readonly #ground: Ground;
  /** Paths whose temporary file could not be removed. */
  readonly leftovers = new Set<string>();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Throws what the disk refuses; then no temporary file is left. */
  stage(operation: Put): Staged | Refused {
    const ground = this.#ground;
    const { fs } = ground;
    if (sha256Hex(operation.bytes) !== operation.hash) {
      return refused('failed', 'EHASH', 'The bytes to write are not the ones that were announced.');
    }
    const early =
      ground.makeDirectories(parentOf(operation.path) ?? '/') ??
      ground.check(operation.path, operation.expected);
    if (early !== null) return early;

    const temp = this.#absolute(operation);
    const handle = fs.openNew(temp, 0o666);
    try {
      fs.write(handle, operation.bytes);
      const mode = operation.mode ?? operation.expected?.mode ?? null;
      if (mode !== null) fs.setMode(handle, mode);
      const written = fs.fstat(handle);
      if (hashOpen(fs, handle, operation.bytes.length) !== operation.hash) {
        throw Object.assign(new Error('The disk does not return what was written.'), { code: 'EVERIFY' });
      }
      return { operation, handle, temp, written };
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
