// Lists the folder again for a proof (docs/sync-rules.md#24): every directory and name, hashing every file or only those whose
// identity is not conclusive (docs/sync-rules.md#5). It runs in slices between the scans, uses no hints, and changes neither the
// folder nor the tree.

import { ancestorsOf, joinPath, parentOf, parseWritePath } from '../../core/paths/path.ts';
import { OwnFilesCollector } from '../../core/sync/merkle.ts';
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import type { IgnoreRules } from '../names/ignore.ts';
import { errorCode, type FileStat, type FileSystem } from '../port/file-system.ts';
import type { FolderProof, ProofRequest } from '../port/folder.ts';
import { type LocalTree, sameIdentity } from '../tree/local-tree.ts';
import { hashFile } from '../tree/read-file.ts';

export interface ListingContext {
  readonly fs: FileSystem;
  readonly root: string;
  readonly tree: LocalTree;
  readonly ignore: IgnoreRules;
  readonly fileBytesMax: number;
}

export class ProofListing {
  readonly #context: ListingContext;
  readonly #request: ProofRequest;
  readonly #leftOut: ReadonlySet<string>;
  readonly #own = new OwnFilesCollector(sha256Hex);
  readonly #files: { path: string; hash: string }[] = [];
  readonly #unreadable: { path: string; detail: string }[] = [];
  #hashedFiles = 0;
  #hashedBytes = 0;
  /** Something went, came or changed between two looks at it: what was found is no single state. */
  #isMoving = false;

  constructor(context: ListingContext, request: ProofRequest) {
    this.#context = context;
    this.#request = request;
    this.#leftOut = new Set(request.leftOut);
  }

  /** Yields between files and directories, so that it can be done in slices. */
  *run(): Generator<undefined, FolderProof> {
    const queue = [...(this.#request.directories ?? ['/'])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const inside = this.#list(next);
      for (const name of inside) {
        const directory = this.#entry(joinPath(next, name));
        if (directory !== null && this.#request.directories === null) queue.push(directory);
        yield;
      }
      yield;
    }
    return {
      ownFiles: this.#request.directories === null ? this.#own.finish() : new Map(),
      files: this.#files,
      hashedFiles: this.#hashedFiles,
      hashedBytes: this.#hashedBytes,
      unreadable: this.#unreadable,
      isMoving: this.#isMoving,
    };
  }

  #list(directory: string): readonly string[] {
    if (!this.#isRealDirectory(directory)) {
      // Asked for by name it may simply not be there; found in a listing it went since.
      if (this.#request.directories === null) this.#isMoving = true;
      return [];
    }
    try {
      return this.#context.fs.list(this.#absolute(directory)).names;
    } catch (error) {
      const detail = errorCode(error);
      if (detail === 'ENOENT' || detail === 'ENOTDIR') this.#isMoving = true;
      else this.#unreadable.push({ path: directory, detail });
      return [];
    }
  }

  /** Returns the path when it is a directory to look into. */
  #entry(path: string): string | null {
    const { fs, ignore, tree, fileBytesMax } = this.#context;
    let stat: FileStat | null;
    try {
      stat = fs.lstat(this.#absolute(path));
    } catch (error) {
      if (!ignore.ignoresHere(path, false) && !this.#isLeftOut(path))
        this.#unreadable.push({ path, detail: errorCode(error) });
      return null;
    }
    if (stat === null) {
      this.#isMoving = true;
      return null;
    }
    const isDirectory = stat.kind === 'directory';
    if (ignore.ignoresHere(path, isDirectory) || !parseWritePath(path).ok || this.#isLeftOut(path))
      return null;
    if (isDirectory) return path;
    if (stat.kind !== 'file' || stat.sizeBytes > fileBytesMax) return null;
    const node = tree.get(path);
    if (!this.#request.rehash && node?.kind === 'file' && node.trusted && sameIdentity(node, stat)) {
      this.#add(path, node.hash, stat.sizeBytes);
      return null;
    }
    const outcome = hashFile(fs, this.#absolute(path), stat);
    if (outcome.kind === 'changed') this.#isMoving = true;
    if (outcome.kind === 'unreadable') this.#unreadable.push({ path, detail: outcome.detail });
    if (outcome.kind !== 'hashed') return null;
    this.#hashedFiles += 1;
    this.#hashedBytes += stat.sizeBytes;
    this.#add(path, outcome.hash, stat.sizeBytes);
    return null;
  }

  #add(path: string, hash: string, sizeBytes: number): void {
    if (this.#request.directories === null) this.#own.add(path, hash, sizeBytes);
    else this.#files.push({ path, hash });
  }

  #isLeftOut(path: string): boolean {
    if (this.#leftOut.size === 0) return false;
    return this.#leftOut.has(path) || ancestorsOf(path).some((ancestor) => this.#leftOut.has(ancestor));
  }

  /** Every parent too: nothing is read through a link out of the root. */
  #isRealDirectory(directory: string): boolean {
    try {
      for (let at: string | null = directory; at !== null && at !== '/'; at = parentOf(at)) {
        if (this.#context.fs.lstat(this.#absolute(at))?.kind !== 'directory') return false;
      }
    } catch (error) {
      this.#unreadable.push({ path: directory, detail: errorCode(error) });
    }
    return true;
  }

  #absolute(path: string): string {
    return path === '/' ? this.#context.root : this.#context.root + path;
  }
}
