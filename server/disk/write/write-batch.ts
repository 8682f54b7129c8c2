// Applies a batch of changes to a folder, the only way to change one. Each step is checked right before it and skipped when the target
// is not as planned (docs/sync-rules.md#7, docs/sync-rules.md#8, docs/sync-rules.md#16): a reader never sees mixed bytes, a rename
// never replaces a directory, no write follows a link. It removes only content that the caller identified.
import { ancestorsOf, parentOf } from '../../core/paths/path.ts';
import { errorCode, type FileStat } from '../port/file-system.ts';
import type { FolderOperation, OperationOutcome } from '../port/folder.ts';
import { type FileNode, folderFile } from '../tree/local-tree.ts';
import { type Staged, TempFiles } from './download-files.ts';
import { asRefusal, refusal } from './refusals.ts';
import { linkConflictCopy, moveToConflictCopy, removeFile, undoLink } from './removal.ts';
import type { WritePreconditions } from './write-preconditions.ts';

/** Files whose sync begins at the same time. */
const syncedTogether = 64;

/** One batch: all temporary files first, then all renames, then each directory synced once. */
export class WriteBatch {
  readonly #preconditions: WritePreconditions;
  readonly #temps: TempFiles;
  /** Directories that could not be synced. */
  readonly unsynced = new Set<string>();

  constructor(preconditions: WritePreconditions) {
    this.#preconditions = preconditions;
    this.#temps = new TempFiles(preconditions);
  }

  /** Yields after each operation of each phase, and a promise where it waits for the disk. Outcomes are in the order of operations. */
  *run(
    operations: readonly FolderOperation[],
  ): Generator<Promise<unknown> | undefined, readonly OperationOutcome[]> {
    const preconditions = this.#preconditions;
    const outcomes = new Array<OperationOutcome>(operations.length);
    // Removals and moves to conflict copies first: a put of the same batch may need the path.
    for (const [index, operation] of operations.entries()) {
      if (operation.kind === 'put') continue;
      outcomes[index] = asRefusal(() =>
        operation.kind === 'remove'
          ? removeFile(preconditions, operation)
          : moveToConflictCopy(preconditions, operation),
      );
      yield;
    }
    const staged: { index: number; ready: Staged }[] = [];
    const syncs: Promise<readonly (string | null)[]>[] = [];
    let syncing = 0;
    // The disk syncs some while the next are written.
    const sync = () => {
      const handles = staged.slice(syncing).map(({ ready }) => ready.handle);
      syncing = staged.length;
      if (handles.length > 0) syncs.push(preconditions.fs.syncAll(handles));
    };
    for (const [index, operation] of operations.entries()) {
      if (operation.kind !== 'put') continue;
      const ready = asRefusal(() => this.#temps.stage(operation));
      if ('temp' in ready) staged.push({ index, ready });
      else outcomes[index] = ready;
      if (staged.length - syncing >= syncedTogether) sync();
      yield;
    }
    sync();
    let failures: readonly (string | null)[] = [];
    yield Promise.all(syncs).then((codes) => {
      failures = codes.flat();
    });
    for (const { ready } of staged) preconditions.fs.close(ready.handle);
    for (const [position, { index, ready }] of staged.entries()) {
      const failure = failures[position] ?? null;
      const outcome =
        failure === null
          ? asRefusal(() => this.#rename(ready))
          : refusal('failed', failure, 'The file could not be synced to disk.');
      if (!outcome.ok) this.#temps.discard(ready.operation);
      outcomes[index] = outcome;
      yield;
    }
    return this.#makeDurable(operations, outcomes);
  }

  #rename(staged: Staged): OperationOutcome {
    const preconditions = this.#preconditions;
    const { path, asidePath, expected } = staged.operation;
    const parent = parentOf(path) ?? '/';
    preconditions.forget(parent);
    const isNew = expected === null && asidePath === null;
    // Of a new file the link itself fails if something is there; what it is, is looked at then.
    const changed =
      preconditions.checkDirectory(parent) ?? (isNew ? null : preconditions.verify(path, expected));
    if (changed !== null) return changed;
    if (isNew) {
      const outcome = asRefusal(() => this.#replace(staged, parent));
      return outcome.ok ? outcome : (preconditions.verify(path, null) ?? outcome);
    }
    if (asidePath === null) return this.#replace(staged, parent);
    const taken = linkConflictCopy(preconditions, path, asidePath);
    if (taken !== null) return taken;
    preconditions.touched(parent);
    const outcome = asRefusal(() => this.#replace(staged, parent));
    return outcome.ok || undoLink(preconditions, path, asidePath)
      ? outcome
      : { ...outcome, steppedAside: true };
  }

  #replace({ operation, temp, written }: Staged, parent: string): OperationOutcome {
    const { fs, tree } = this.#preconditions;
    const path = this.#preconditions.absolute(operation.path);
    if (operation.expected === null) {
      // A link fails where a rename would replace a file that was created after the check.
      if (this.#linkNew(temp, path)) this.#temps.discard(operation);
    } else {
      fs.rename(temp, path);
    }
    this.#preconditions.touched(parent);
    const stat = this.#statAfterRename(path, written);
    if (stat === null || stat.inode !== written.inode || stat.mtimeNs !== written.mtimeNs) {
      // Another program changed it meanwhile. The next scan finds that change; the written content is in the history.
      return refusal('changed', 'ECHANGED', 'It changed during the write.');
    }
    const node = justWritten(operation.hash, stat);
    tree.set(operation.path, node);
    return { ok: true, file: folderFile(node) };
  }

  /** When the disk cannot stat the renamed file, the stat before the rename counts, and the next scan reads the file again. */
  #statAfterRename(path: string, written: FileStat): FileStat | null {
    try {
      return this.#preconditions.fs.lstat(path);
    } catch (error) {
      if (errorCode(error) === 'EUNKNOWN') throw error;
      return written;
    }
  }

  /** true: the temporary name still exists. */
  #linkNew(temp: string, path: string): boolean {
    const { fs } = this.#preconditions;
    try {
      fs.link(temp, path);
      return true;
    } catch (error) {
      if (['EEXIST', 'ESTALE'].includes(errorCode(error))) throw error;
      // A disk without links; the path was free just before.
      if (fs.lstat(path) !== null) throw error;
      fs.rename(temp, path);
      return false;
    }
  }

  #makeDurable(
    operations: readonly FolderOperation[],
    outcomes: readonly OperationOutcome[],
  ): readonly OperationOutcome[] {
    const failed = this.#preconditions.syncDirectories();
    for (const directory of failed.keys()) this.unsynced.add(directory);
    if (failed.size + this.#temps.leftovers.size === 0) return outcomes;
    return outcomes.map((outcome, index) => {
      const operation = operations[index] as FolderOperation;
      // Any parent may have been created or removed for it.
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

/** The file itself was written. */
const leftover = refusal('failed', 'ELEFTOVER', 'Its temporary file could not be removed.');

function justWritten(hash: string, stat: FileStat): FileNode {
  const { sizeBytes, mtimeNs, ctimeNs, inode, mode } = stat;
  // Not trusted: it was written just now, so the next scan reads it again (docs/sync-rules.md#5).
  return { kind: 'file', hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted: false };
}
