// The only code that changes a user's folder. Every step is checked at the last moment and leaves alone what is not as planned
// (sync-engine rules 7, 8, 16): a reader never sees mixed bytes, a directory is never renamed over, nothing is written
// through a link. It destroys nothing that the caller did not name by its identity.
import { ancestorsOf, joinPath, parentOf } from '../core/path.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { type DiskTime, errorCode, type FileStat, type FileSystem } from './file-system.ts';
import type { FolderFile, FolderOperation, OperationOutcome } from './folder.ts';
import { type FileNode, fileNode, folderFile, type LocalTree, sameIdentity } from './local-tree.ts';
import { hashFile } from './read-file.ts';

export interface WriteContext {
  readonly fs: FileSystem;
  readonly time: DiskTime;
  readonly root: string;
  readonly tree: LocalTree;
}

type Refused = Extract<OperationOutcome, { ok: false }>;
type Put = Extract<FolderOperation, { kind: 'put' }>;

/** A temporary file that is complete, waiting to be durable and then for its rename. */
interface Staged {
  readonly operation: Put;
  readonly handle: number;
  readonly temp: string;
  readonly written: FileStat;
}

/** One batch: all temporary files first, then all renames, then each directory synced once. */
export class WriteBatch {
  readonly #context: WriteContext;
  /** Directories of this batch that are known to be real ones down to the root. */
  readonly #realDirectories = new Set<string>(['/']);
  readonly #toSync = new Set<string>();
  /** Directories whose names are not durable when it has run. */
  readonly unsynced = new Set<string>();
  /** Paths whose temporary file could not be removed. */
  readonly #leftovers = new Set<string>();

  constructor(context: WriteContext) {
    this.#context = context;
  }

  /**
   * Yields after each operation of each phase, so that its thread can breathe, and a promise where it has to wait for the
   * disk. Outcomes stand in the operations' order.
   */
  *run(
    operations: readonly FolderOperation[],
  ): Generator<Promise<unknown> | undefined, readonly OperationOutcome[]> {
    const outcomes = new Array<OperationOutcome>(operations.length);
    // Removals and steps aside first: a put of the same batch may need the room.
    for (const [index, operation] of operations.entries()) {
      if (operation.kind === 'put') continue;
      outcomes[index] = this.#guarded(() =>
        operation.kind === 'remove' ? this.#remove(operation) : this.#moveAside(operation),
      );
      yield;
    }
    const staged: { index: number; ready: Staged }[] = [];
    for (const [index, operation] of operations.entries()) {
      if (operation.kind !== 'put') continue;
      const ready = this.#guarded(() => this.#stage(operation));
      if ('temp' in ready) staged.push({ index, ready });
      else outcomes[index] = ready;
      yield;
    }
    let failures: readonly (string | null)[] = [];
    yield this.#context.fs.syncAll(staged.map(({ ready }) => ready.handle)).then((codes) => {
      failures = codes;
    });
    for (const { ready } of staged) this.#context.fs.close(ready.handle);
    for (const [position, { index, ready }] of staged.entries()) {
      const failure = failures[position] ?? null;
      const outcome =
        failure === null
          ? this.#guarded(() => this.#rename(ready))
          : refused('failed', failure, 'The file could not be made durable.');
      if (!outcome.ok) this.#discard(ready.temp, ready.operation.path);
      outcomes[index] = outcome;
      yield;
    }
    return this.#makeDurable(operations, outcomes);
  }

  #guarded<T extends object>(act: () => T | Refused): T | Refused {
    try {
      return act();
    } catch (error) {
      return refusalOf(error);
    }
  }

  // ---- put

  #stage(operation: Put): Staged | Refused {
    const { fs } = this.#context;
    if (sha256Hex(operation.bytes) !== operation.hash) {
      return refused('failed', 'EHASH', 'The bytes to write are not the ones that were announced.');
    }
    const parent = parentOf(operation.path) ?? '/';
    const inTheWay = this.#makeParents(parent);
    if (inTheWay !== null) return inTheWay;
    const early = this.#check(operation.path, operation.expected);
    if (early !== null) return early;

    const temp = this.#absolute(joinPath(parent, operation.tempName));
    const handle = fs.openNew(temp, 0o666);
    try {
      fs.write(handle, operation.bytes);
      const mode = operation.mode ?? operation.expected?.mode ?? null;
      if (mode !== null) fs.setMode(handle, mode);
      const written = fs.fstat(handle);
      if (!this.#holds(handle, operation)) {
        throw Object.assign(new Error('The disk does not return what was written.'), { code: 'EVERIFY' });
      }
      return { operation, handle, temp, written };
    } catch (error) {
      fs.close(handle);
      this.#discard(temp, operation.path);
      throw error;
    }
  }

  #holds(handle: number, operation: Put): boolean {
    const { fs } = this.#context;
    const back = new Uint8Array(operation.bytes.length);
    let position = 0;
    while (position < back.length) {
      const count = fs.read(handle, back.subarray(position), position);
      if (count === 0) return false;
      position += count;
    }
    return sha256Hex(back) === operation.hash;
  }

  #rename(staged: Staged): OperationOutcome {
    const { operation } = staged;
    const path = this.#absolute(operation.path);
    const parent = parentOf(operation.path) ?? '/';
    this.#realDirectories.delete(parent);
    if (!this.#isReal(parent)) return refused('link', 'ENOTDIR', 'A parent is no directory any more.');
    const late = this.#check(operation.path, operation.expected);
    if (late !== null) return late;
    if (operation.asidePath === null) return this.#replace(staged, path, parent);
    const aside = this.#absolute(operation.asidePath);
    const taken = this.#linkAside(path, aside);
    if (taken !== null) return taken;
    this.#toSync.add(parent);
    const outcome = this.#guarded(() => this.#replace(staged, path, parent));
    return outcome.ok || this.#takeBack(path, aside) ? outcome : { ...outcome, steppedAside: true };
  }

  #replace({ operation, temp, written }: Staged, path: string, parent: string): OperationOutcome {
    const { fs, tree } = this.#context;
    if (operation.expected === null) {
      // A link fails where a rename would replace: the moment between the check and the act cannot cost a new file.
      this.#appear(temp, path);
    } else {
      fs.rename(temp, path);
    }
    this.#toSync.add(parent);
    const stat = fs.lstat(path);
    if (stat === null || stat.inode !== written.inode || stat.mtimeNs !== written.mtimeNs) {
      // Somebody was faster than this look. Their change is found by the next scan; ours is in the history.
      return refused('changed', 'ECHANGED', 'It was changed at the very moment.');
    }
    const node = this.#observe(operation.hash, stat);
    tree.set(operation.path, node);
    return { ok: true, file: folderFile(node) };
  }

  #appear(temp: string, path: string): void {
    const { fs } = this.#context;
    try {
      fs.link(temp, path);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw error;
      // A disk without links: it was looked at a moment ago.
      if (fs.lstat(path) !== null) throw error;
      fs.rename(temp, path);
      return;
    }
    fs.unlink(temp);
  }

  /** The folder's version gets a second name, so that no reader ever finds the path empty. */
  #linkAside(path: string, aside: string): Refused | null {
    const { fs } = this.#context;
    try {
      fs.link(path, aside);
    } catch (error) {
      if (errorCode(error) === 'EEXIST')
        return refused('taken', 'EEXIST', 'The name to step aside to is taken.');
      if (fs.lstat(aside) !== null) return refused('taken', 'EEXIST', 'The name to step aside to is taken.');
      fs.rename(path, aside);
    }
    return null;
  }

  /** A version that got its second name for nothing loses that again. false: the name is the only one that it has. */
  #takeBack(path: string, aside: string): boolean {
    try {
      if (!this.#isOneFile(path, aside)) return false;
      this.#context.fs.unlink(aside);
      return true;
    } catch {
      // It keeps both names, and is listed as what it looks like.
      return false;
    }
  }

  #isOneFile(path: string, other: string): boolean {
    const { fs } = this.#context;
    const stat = fs.lstat(path);
    return stat !== null && stat.inode === fs.lstat(other)?.inode;
  }

  // ---- remove and step aside

  #remove(operation: Extract<FolderOperation, { kind: 'remove' }>): OperationOutcome {
    const { fs, tree } = this.#context;
    const parent = parentOf(operation.path) ?? '/';
    if (!this.#isReal(parent)) return refused('link', 'ENOTDIR', 'A parent is no directory any more.');
    const late = this.#check(operation.path, operation.expected);
    if (late !== null) return late;
    fs.unlink(this.#absolute(operation.path));
    tree.delete(operation.path);
    this.#prune(parent);
    return { ok: true, file: null };
  }

  /** Removes directories that this removal left empty; one that holds anything, ignored files included, refuses. */
  #prune(directory: string): void {
    const { fs, tree } = this.#context;
    this.#toSync.add(directory);
    for (let at: string | null = directory; at !== null && at !== '/'; at = parentOf(at)) {
      try {
        fs.removeDirectory(this.#absolute(at));
      } catch (error) {
        // Whatever the system says: the file is gone, and an empty directory may stay.
        if (errorCode(error) !== 'EUNKNOWN') return;
        throw error;
      }
      // A file that somebody else took away meanwhile is still known here: the next scan has to miss it.
      if (tree.leaves(at).next().done === true) tree.delete(at);
      this.#toSync.delete(at);
      this.#realDirectories.delete(at);
      this.#toSync.add(parentOf(at) ?? '/');
    }
  }

  #moveAside(operation: Extract<FolderOperation, { kind: 'move_aside' }>): OperationOutcome {
    const { fs, tree } = this.#context;
    const parent = parentOf(operation.path) ?? '/';
    if (!this.#isReal(parent)) return refused('link', 'ENOTDIR', 'A parent is no directory any more.');
    const path = this.#absolute(operation.path);
    const aside = this.#absolute(operation.asidePath);
    if (operation.expected === null) {
      if (fs.lstat(path)?.kind !== 'directory')
        return refused('changed', 'ECHANGED', 'No directory is there any more.');
      if (fs.lstat(aside) !== null) return refused('taken', 'EEXIST', 'The name to step aside to is taken.');
      // An empty directory holds nothing that could be lost; it makes room without a trace.
      if (!this.#removeEmpty(operation.path)) fs.rename(path, aside);
    } else {
      const late = this.#check(operation.path, operation.expected);
      if (late !== null) return late;
      const refusal = this.#linkAside(path, aside);
      if (refusal !== null) return refusal;
      this.#toSync.add(parent);
      try {
        if (this.#isOneFile(path, aside)) fs.unlink(path);
      } catch (error) {
        return this.#takeBack(path, aside) ? refusalOf(error) : { ...refusalOf(error), steppedAside: true };
      }
    }
    tree.delete(operation.path);
    this.#toSync.add(parent);
    return { ok: true, file: null };
  }

  /** Directories of directories without a single file. */
  #removeEmpty(directory: string): boolean {
    const { fs } = this.#context;
    const { names, unreadableNames } = fs.list(this.#absolute(directory));
    if (unreadableNames.length > 0) return false;
    const children = names.map((name) => joinPath(directory, name));
    if (children.some((child) => fs.lstat(this.#absolute(child))?.kind !== 'directory')) return false;
    if (!children.every((child) => this.#removeEmpty(child))) return false;
    fs.removeDirectory(this.#absolute(directory));
    return true;
  }

  // ---- checks

  /** null: what stands there is what was planned. */
  #check(path: string, expected: FolderFile | null): Refused | null {
    const { fs } = this.#context;
    const stat = fs.lstat(this.#absolute(path));
    if (stat?.kind === 'directory') return refused('directory', 'EISDIR', 'A directory is in the way.');
    if (expected === null) return stat === null ? null : changed();
    if (stat?.kind !== 'file') return changed();
    const node = fileNode(expected);
    if (!sameIdentity(node, stat)) return changed();
    if (expected.trusted) return null;
    // Size and times prove nothing yet: read it.
    const outcome = hashFile(fs, this.#absolute(path), stat);
    if (outcome.kind !== 'hashed' || outcome.hash !== expected.hash) return changed();
    // Reading took its time: what was read must still be what stands there.
    const after = fs.lstat(this.#absolute(path));
    return after?.kind === 'file' && sameIdentity(node, after) ? null : changed();
  }

  #makeParents(directory: string): Refused | null {
    const { fs, tree } = this.#context;
    for (const at of [...ancestorsOf(directory), directory]) {
      if (this.#realDirectories.has(at)) continue;
      const stat = fs.lstat(this.#absolute(at));
      if (stat === null) {
        fs.makeDirectory(this.#absolute(at));
        this.#toSync.add(parentOf(at) ?? '/');
        if (tree.get(at) === undefined) tree.set(at, { kind: 'directory' });
      } else if (stat.kind !== 'directory') {
        return refused('link', 'ENOTDIR', `${at} is in the way: it is a ${stat.kind}, not a directory.`);
      }
      this.#realDirectories.add(at);
    }
    return null;
  }

  #isReal(directory: string): boolean {
    for (const at of [...ancestorsOf(directory), directory]) {
      if (this.#realDirectories.has(at)) continue;
      if (this.#context.fs.lstat(this.#absolute(at))?.kind !== 'directory') return false;
      this.#realDirectories.add(at);
    }
    return true;
  }

  #observe(hash: string, stat: FileStat): FileNode {
    const { sizeBytes, mtimeNs, ctimeNs, inode, mode } = stat;
    // Never trusted: it was touched just now, so the next look reads it again (racy-clean).
    return { kind: 'file', hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted: false };
  }

  #discard(temp: string, path: string): void {
    // Durably: the journal forgets it when the batch is finished.
    this.#toSync.add(parentOf(path) ?? '/');
    try {
      this.#context.fs.unlink(temp);
    } catch (error) {
      // Already renamed or never made. Otherwise the journal still names it, and the next start removes it.
      if (errorCode(error) !== 'ENOENT') this.#leftovers.add(path);
    }
  }

  #makeDurable(
    operations: readonly FolderOperation[],
    outcomes: readonly OperationOutcome[],
  ): readonly OperationOutcome[] {
    const failed = new Map<string, Refused>();
    for (const directory of this.#toSync) {
      try {
        this.#context.fs.syncDirectory(this.#absolute(directory));
      } catch (error) {
        // Removed meanwhile by somebody else: there is nothing left to make durable.
        if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') continue;
        this.unsynced.add(directory);
        failed.set(
          directory,
          refused('failed', errorCode(error), 'The directory could not be made durable.'),
        );
      }
    }
    if (failed.size + this.#leftovers.size === 0) return outcomes;
    return outcomes.map((outcome, index) => {
      const operation = operations[index] as FolderOperation;
      // Any directory on the way may have been made or removed for it.
      const refusal = ancestorsOf(operation.path)
        .map((at) => failed.get(at))
        .find(Boolean);
      if (outcome.ok) {
        if (refusal === undefined) return outcome;
        const steppedAside = operation.kind !== 'remove' && operation.asidePath !== null;
        return { ...refusal, steppedAside, unfinished: true };
      }
      const unfinished = refusal !== undefined || this.#leftovers.has(operation.path);
      return unfinished ? { ...outcome, unfinished } : outcome;
    });
  }

  #absolute(path: string): string {
    return path === '/' ? this.#context.root : this.#context.root + path;
  }
}

function refusalOf(error: unknown): Refused {
  const code = errorCode(error);
  // Something came or went between a look and the act: not as planned any more.
  if (code === 'ENOENT' || code === 'EEXIST' || code === 'ENOTDIR') return changed();
  return refused('failed', code, error instanceof Error ? error.message : String(error));
}

function changed(): Refused {
  return refused('changed', 'ECHANGED', 'It is not what was planned any more.');
}

function refused(reason: Refused['reason'], code: string, detail: string): Refused {
  return { ok: false, reason, code, detail };
}
