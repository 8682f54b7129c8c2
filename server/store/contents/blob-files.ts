// Large contents as files: `<dataDir>/blobs/ab/<hash>`, written once, never changed. A file is durable before a row names it, and
// is deleted only after the commit that freed it, when no reader holds it.
import { mkdirSync, readdirSync, statSync, unlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Content } from '../../core/change/change.ts';
import type { ByteRange } from '../port/store.ts';
import { openBlob, readBlob, sha256 } from './blob-reads.ts';
import type { BlobStore } from './blob-store.ts';
import { IncomingBlob } from './incoming-blob.ts';
import { inlineBlob } from './inline-content.ts';

/**
 * Contents up to this size are in the database. Measured (ext4, two cores; a row in a group of 16 against a file with its two
 * syncs, 16 at once): 16 KiB 0.13 / 0.55 ms, 64 KiB 0.34 / 0.92 ms, 128 KiB 0.48 / 0.57 ms, 256 KiB 1.1 / 1.1 ms, 1 MiB 3.9 / 2.0
 * ms. Beyond 64 KiB the difference is smaller than the cost of the writer's time, which all callers share.
 */
export const inlineBytesMax = 64 * 1024;
/** A staged file that no command has named after this time is forgotten. */
const stagedMsMax = 60 * 60 * 1000;
/**
 * Unreferenced files are retained this long after they were written. A crash leaves few of them; replacing the database with an
 * older one leaves many, until the right one is put back.
 */
const orphanMsMin = 7 * 24 * 60 * 60 * 1000;

export function blobFolder(dataDir: string): string {
  return path.join(dataDir, 'blobs');
}

export function blobFile(dataDir: string, hash: string): string {
  return path.join(blobFolder(dataDir), hash.slice(0, 2), hash);
}

export class BlobFiles implements BlobStore {
  readonly #dataDir: string;
  readonly #nowMs: () => number;
  readonly #isNamed: (hash: string) => boolean;
  /** Staged contents that no commit has named yet, each with the time until which it is held. */
  readonly #staged = new Map<string, { count: number; untilMs: number }>();
  readonly #freed = new Set<string>();
  /** Found at the start. */
  readonly #orphans: string[] = [];
  #holds = 0;

  /** `isNamed` asks the committed database whether a row names this content. */
  constructor(dataDir: string, nowMs: () => number, isNamed: (hash: string) => boolean) {
    this.#dataDir = dataDir;
    this.#nowMs = nowMs;
    this.#isNamed = isNamed;
    mkdirSync(this.#incoming, { recursive: true, mode: 0o700 });
  }

  /** Hashes the bytes and, when they are large, makes them a durable file. */
  async stage(bytes: Uint8Array): Promise<Content> {
    const hash = await sha256(bytes);
    const sizeBytes = bytes.byteLength;
    if (sizeBytes <= inlineBytesMax) return inlineBlob(hash, bytes);
    // Held before the first check of the disk, so that retention cannot delete it in between.
    this.#hold(hash);
    try {
      await this.#store(hash, bytes);
    } catch (error) {
      this.unstage(hash);
      throw error;
    }
    return { hash, sizeBytes, staged: true };
  }

  /** The same for a stream, which is never in memory whole. ContentTooLargeError: it has more than `bytesMax`. */
  async stageStream(
    source: AsyncIterable<Uint8Array>,
    bytesMax: number,
  ): Promise<{ readonly content: Content; readonly isText: boolean }> {
    const temporary = path.join(this.#incoming, crypto.randomUUID());
    const received = await new IncomingBlob(temporary, inlineBytesMax).receive(source, bytesMax);
    const { hash, sizeBytes, isText, bytes } = received;
    if (bytes !== null) return { content: inlineBlob(hash, bytes), isText };
    this.#hold(hash);
    try {
      await this.#adopt(hash, sizeBytes, temporary);
    } catch (error) {
      this.unstage(hash);
      unlinkIfThere(temporary);
      throw error;
    }
    return { content: { hash, sizeBytes, staged: true }, isText };
  }

  /** The command that named the staged content has committed or failed. */
  unstage(hash: string): void {
    const held = this.#staged.get(hash);
    if (held === undefined) return;
    held.count -= 1;
    if (held.count > 0) return;
    this.#staged.delete(hash);
    // After a refusal or failure the file is unreferenced. A file that a row names stays: the check before the unlink finds the
    // row.
    this.freed([hash]);
  }

  /** CorruptContentError: the file is missing or changed. */
  async read(hash: string): Promise<Buffer> {
    return await readBlob(blobFile(this.#dataDir, hash), hash);
  }

  /** The same in pieces; the stream may find out at its end. */
  async open(hash: string, range?: ByteRange): ReturnType<typeof openBlob> {
    return await openBlob(blobFile(this.#dataDir, hash), hash, range);
  }

  /** While held, no file is deleted: exports and backups read the contents of their snapshot. Returns the release function. */
  holdAll(): () => void {
    this.#holds += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#holds -= 1;
      this.unlinkFreed();
    };
  }

  /** The commit that freed these contents has happened. */
  freed(hashes: readonly string[]): void {
    for (const hash of hashes) this.#freed.add(hash);
    this.unlinkFreed();
  }

  /** Unlinks freed files that no reader holds and, checked again, no row names. Check and unlink are one synchronous step. */
  unlinkFreed(): void {
    if (this.#holds > 0) return;
    this.#dropExpired();
    for (const hash of this.#freed) {
      if (this.#staged.has(hash)) continue;
      this.#freed.delete(hash);
      if (!this.#isNamed(hash)) unlinkIfThere(blobFile(this.#dataDir, hash));
    }
  }

  /**
   * Finds files that no row names: a crash leaves them between file and row. Only at start, before anything is staged. They stay
   * until `freeOrphans`: rows are also missing from a corrupt database.
   */
  findOrphans(): void {
    const writtenBeforeMs = this.#nowMs() - orphanMsMin;
    for (const name of readdirSync(this.#incoming)) unlinkIfThere(path.join(this.#incoming, name));
    for (const group of readdirSync(blobFolder(this.#dataDir))) {
      if (!/^[0-9a-f]{2}$/.test(group)) continue;
      for (const name of readdirSync(path.join(blobFolder(this.#dataDir), group))) {
        if (!/^[0-9a-f]{64}$/.test(name) || this.#isNamed(name)) continue;
        const file = path.join(blobFolder(this.#dataDir), group, name);
        if (statSync(file).mtimeMs > writtenBeforeMs) continue;
        this.#orphans.push(name);
      }
    }
  }

  get hasOrphans(): boolean {
    return this.#orphans.length > 0;
  }

  /** The database was found intact: files without a row are unreferenced. */
  freeOrphans(): void {
    this.freed(this.#orphans.splice(0));
  }

  get #incoming(): string {
    return path.join(blobFolder(this.#dataDir), 'incoming');
  }

  async #store(hash: string, bytes: Uint8Array): Promise<void> {
    const file = blobFile(this.#dataDir, hash);
    // An unreadable file counts as missing: these bytes replace it.
    const existing = await readFile(file).catch(() => null);
    if (existing?.equals(bytes)) return await syncFolder(path.dirname(file));
    const temporary = path.join(this.#incoming, crypto.randomUUID());
    await writeDurably(temporary, bytes);
    await this.#adopt(hash, bytes.byteLength, temporary);
  }

  /**
   * Moves a durable temporary file to its final name, also over a file of the same hash: its bytes may have changed on the disk,
   * and these are correct.
   */
  async #adopt(hash: string, sizeBytes: number, temporary: string): Promise<void> {
    const file = blobFile(this.#dataDir, hash);
    const folder = path.dirname(file);
    await makeFolder(folder);
    try {
      await rename(temporary, file);
    } catch (error) {
      // Windows does not replace a file that is open for reading.
      if (process.platform !== 'win32' || (await stat(file).catch(absentAsNull))?.size !== sizeBytes)
        throw error;
      await unlink(temporary);
    }
    await syncFolder(folder);
  }

  #hold(hash: string): void {
    const untilMs = this.#nowMs() + stagedMsMax;
    const held = this.#staged.get(hash);
    if (held === undefined) this.#staged.set(hash, { count: 1, untilMs });
    else this.#staged.set(hash, { count: held.count + 1, untilMs });
  }

  #dropExpired(): void {
    const now = this.#nowMs();
    for (const [hash, { untilMs }] of this.#staged) {
      if (untilMs > now) continue;
      this.#staged.delete(hash);
      this.#freed.add(hash);
    }
  }
}

/** Creates the file, which must not exist, and returns when its bytes are on the disk. */
export async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await unlink(file).catch(absentAsNull);
    throw error;
  } finally {
    await handle.close();
  }
}

/** Makes a rename or a new name in this folder durable. Windows cannot open folders, and needs no such sync. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle: FileHandle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function makeFolder(folder: string): Promise<void> {
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (created !== undefined) await syncFolder(path.dirname(folder));
}

function absentAsNull(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function unlinkIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

/** Size in bytes; null when there is no such file. */
export function fileSize(file: string): number | null {
  try {
    return statSync(file).size;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
