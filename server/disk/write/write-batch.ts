// The only way to change a user's folder. Every step is checked at the last moment and leaves alone what is not as planned
// (sync-engine rules 7, 8, 16): a reader never sees mixed bytes, a directory is never renamed over, nothing is written
// through a link. It destroys nothing that the caller did not name by its identity.
import { ancestorsOf, parentOf } from '../../core/paths/path.ts';
import { errorCode, type FileStat } from '../port/file-system.ts';
import type { FolderOperation, OperationOutcome } from '../port/folder.ts';
import { type FileNode, folderFile } from '../tree/local-tree.ts';
import { type Staged, TempFiles } from './download-files.ts';
import { asRefusal, refusal } from './refusals.ts';
import { linkConflictCopy, moveToConflictCopy, removeFile, undoLink } from './removal.ts';
import type { WritePreconditions } from './write-preconditions.ts';

/** One batch: all temporary files first, then all renames, then each directory synced once. */
export class WriteBatch {
  readonly #ground: WritePreconditions;
  readonly #temps: TempFiles;
  /** Directories whose names are not durable when it has run. */
  readonly unsynced = new Set<string>();

  constructor(ground: WritePreconditions) {
    this.#ground = ground;
    this.#temps = new TempFiles(ground);
  }

  /**
   * Yields after each operation of each phase, so that its thread can breathe, and a promise where it has to wait for the
   * disk. Outcomes stand in the operations' order.
   */
  *run(
    operations: readonly FolderOperation[],
  ): Generator<Promise<unknown> | undefined, readonly OperationOutcome[]> {
    const ground = this.#ground;
    const outcomes = new Array<OperationOutcome>(operations.length);
    // Removals and steps aside first: a put of the same batch may need the room.
    for (const [index, operation] of operations.entries()) {
      if (operation.kind === 'put') continue;
      outcomes[index] = asRefusal(() =>
        operation.kind === 'remove' ? removeFile(ground, operation) : moveToConflictCopy(ground, operation),
      );
      yield;
    }
    const staged: { index: number; ready: Staged }[] = [];
    for (const [index, operation] of operations.entries()) {
      if (operation.kind !== 'put') continue;
      const ready = asRefusal(() => this.#temps.stage(operation));
      if ('temp' in ready) staged.push({ index, ready });
      else outcomes[index] = ready;
      yield;
    }
    let failures: readonly (string | null)[] = [];
    yield ground.fs.syncAll(staged.map(({ ready }) => ready.handle)).then((codes) => {
      failures = codes;
    });
    for (const { ready } of staged) ground.fs.close(ready.handle);
    for (const [position, { index, ready }] of staged.entries()) {
      const failure = failures[position] ?? null;
      const outcome =
        failure === null
          ? asRefusal(() => this.#rename(ready))
          : refusal('failed', failure, 'The file could not be made durable.');
      if (!outcome.ok) this.#temps.discard(ready.operation);
      outcomes[index] = outcome;
      yield;
    }
    return this.#makeDurable(operations, outcomes);
  }

  #rename(staged: Staged): OperationOutcome {
    const ground = this.#ground;
    const { path, asidePath, expected } = staged.operation;
    const parent = parentOf(path) ?? '/';
    ground.forget(parent);
    const late = ground.checkDirectory(parent) ?? ground.verify(path, expected);
    if (late !== null) return late;
    if (asidePath === null) return this.#replace(staged, parent);
    const taken = linkConflictCopy(ground, path, asidePath);
    if (taken !== null) return taken;
    ground.touched(parent);
    const outcome = asRefusal(() => this.#replace(staged, parent));
    return outcome.ok || undoLink(ground, path, asidePath) ? outcome : { ...outcome, steppedAside: true };
  }

  #replace({ operation, temp, written }: Staged, parent: string): OperationOutcome {
    const { fs, tree } = this.#ground;
    const path = this.#ground.absolute(operation.path);
    if (operation.expected === null) {
      // A link fails where a rename would replace: the moment between the check and the act cannot cost a new file.
      if (this.#appear(temp, path)) this.#temps.discard(operation);
    } else {
      fs.rename(temp, path);
    }
    this.#ground.touched(parent);
    const stat = this.#lookAt(path, written);
    if (stat === null || stat.inode !== written.inode || stat.mtimeNs !== written.mtimeNs) {
      // Somebody was faster than this look. Their change is found by the next scan; ours is in the history.
      return refusal('changed', 'ECHANGED', 'It was changed at the very moment.');
    }
    const node = justWritten(operation.hash, stat);
    tree.set(operation.path, node);
    return { ok: true, file: folderFile(node) };
  }

  /** It is in its place, also when the disk will not show it: then as it was written, and the next scan reads it again. */
  #lookAt(path: string, written: FileStat): FileStat | null {
    try {
      return this.#ground.fs.lstat(path);
    } catch (error) {
      if (errorCode(error) === 'EUNKNOWN') throw error;
      return written;
    }
  }

  /** true: its temporary name stands, too. */
  #appear(temp: string, path: string): boolean {
    const { fs } = this.#ground;
    try {
      fs.link(temp, path);
      return true;
    } catch (error) {
      if (['EEXIST', 'ESTALE'].includes(errorCode(error))) throw error;
      // A disk without links: it was looked at a moment ago.
      if (fs.lstat(path) !== null) throw error;
      fs.rename(temp, path);
      return false;
    }
  }

  #makeDurable(
    operations: readonly FolderOperation[],
    outcomes: readonly OperationOutcome[],
  ): readonly OperationOutcome[] {
    const failed = this.#ground.syncDirectories();
    for (const directory of failed.keys()) this.unsynced.add(directory);
    if (failed.size + this.#temps.leftovers.size === 0) return outcomes;
    return outcomes.map((outcome, index) => {
      const operation = operations[index] as FolderOperation;
      // Any directory on the way may have been made or removed for it.
      const refusal = ancestorsOf(operation.path)
        .map((at) => failed.get(at))
        .find(Boolean);
      if (outcome.ok) {
        if (refusal === undefined && !this.#temps.leftovers.has(operation.path)) return outcome;
        const steppedAside = operation.kind !== 'remove' && operation.asidePath !== null;
        return { ...(refusal ?? leftover), steppedAside, unfinished: true };
      }
      const unfinished = refusal !== undefined || this.#temps.leftovers.has(operation.path);
      return unfinished ? { ...outcome, unfinished } : outcome;
    });
  }
}

/** The file is in its place. */
const leftover = refusal('failed', 'ELEFTOVER', 'Its temporary file could not be removed.');

function justWritten(hash: string, stat: FileStat): FileNode {
  const { sizeBytes, mtimeNs, ctimeNs, inode, mode } = stat;
  // Never trusted: it was touched just now, so the next look reads it again (racy-clean).
  return { kind: 'file', hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted: false };
}
