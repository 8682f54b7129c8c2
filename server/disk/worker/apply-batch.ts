// Changes the open folder: batches, chunks of large files, recovery. A plan for one root is never applied to another in its place;
// what could not be finished is retried. write/write-batch.ts makes the changes.
import { parentOf } from '../../core/paths/path.ts';
import type { FileChunk, FolderOperation, OperationOutcome } from '../port/folder.ts';
import { appendChunk, discardChunks } from '../write/download-files.ts';
import { type Refused, refusal } from '../write/refusals.ts';
import { WriteBatch } from '../write/write-batch.ts';
import { WritePreconditions } from '../write/write-preconditions.ts';
import type { OpenedFolder } from './open-folder.ts';

export interface BatchApplierOptions {
  readonly opened: OpenedFolder;
  /** The directory is not as planned: the next scan reads it. */
  readonly onSurprise: (directory: string) => void;
}

export class BatchApplier {
  readonly #parts: BatchApplierOptions;

  constructor(parts: BatchApplierOptions) {
    this.#parts = parts;
  }

  writePiece(piece: FileChunk): OperationOutcome {
    const { root, tree, unfinished, unreportedChanges } = this.#parts.opened;
    if (!root.isPlanned()) return piece.position === 0 ? otherRoot() : this.#outOfReach(piece);
    const { outcome, unsynced } = appendChunk(this.#ground(), piece);
    for (const directory of unsynced) unfinished.addDirectory(directory);
    if (!outcome.ok) {
      this.#surprised(piece.path);
      unreportedChanges.recordRefused(tree, piece.expected?.hash ?? null, [piece.path]);
    }
    return outcome;
  }

  /** false: it may still be there. */
  dropPieces(path: string, tempName: string): boolean {
    const { root, unfinished } = this.#parts.opened;
    const dropped = root.isPlanned() && discardChunks(this.#ground(), path, tempName);
    if (!dropped) unfinished.addTemp(path, tempName);
    return dropped;
  }

  /** Yields as `WriteBatch` does. */
  *apply(
    operations: readonly FolderOperation[],
  ): Generator<Promise<unknown> | undefined, readonly OperationOutcome[]> {
    const { root, tree, unfinished, unreportedChanges } = this.#parts.opened;
    if (!root.isPlanned())
      return operations.map((operation) =>
        // Its pieces lie in the folder that went away.
        operation.kind === 'put' && operation.bytes === null ? this.#outOfReach(operation) : otherRoot(),
      );
    const batch = new WriteBatch(this.#ground());
    const below = operations.map((operation) =>
      operation.kind === 'move_aside' ? [operation.path, ...tree.leaves(operation.path)] : [operation.path],
    );
    const outcomes = this.#withLeftovers(operations, yield* batch.run(operations));
    for (const [index, operation] of operations.entries()) {
      const failed = outcomes[index]?.ok === false;
      const movedAside = operation.kind !== 'remove' && operation.asidePath !== null;
      if (failed || movedAside) this.#surprised(operation.path);
      const expected = operation.kind === 'move_aside' ? undefined : (operation.expected?.hash ?? null);
      if (failed) unreportedChanges.recordRefused(tree, expected, below[index] ?? []);
      if (outcomes[index]?.ok === false && outcomes[index].unfinished === true) {
        unfinished.addOperation(operation);
        if (operation.kind === 'put') unfinished.addTemp(operation.path, operation.tempName);
      }
    }
    for (const directory of batch.unsynced) unfinished.addDirectory(directory);
    return outcomes;
  }

  #ground(): WritePreconditions {
    const { fs, tree, root, folds } = this.#parts.opened;
    return new WritePreconditions(fs, tree, root.path, folds);
  }

  #surprised(path: string): void {
    this.#parts.onSurprise(parentOf(path) ?? '/');
  }

  /** The root disappeared meanwhile: the place of the temporary files is unknown until it is there again. */
  #withLeftovers(
    operations: readonly FolderOperation[],
    outcomes: readonly OperationOutcome[],
  ): readonly OperationOutcome[] {
    const { root, unfinished } = this.#parts.opened;
    if (root.isPlanned()) return outcomes;
    return outcomes.map((outcome, index) => {
      const operation = operations[index];
      if (outcome.ok || operation?.kind !== 'put') return outcome;
      unfinished.addTemp(operation.path, operation.tempName);
      return { ...outcome, unfinished: true };
    });
  }

  #outOfReach({ path, tempName }: Pick<FileChunk, 'path' | 'tempName'>): OperationOutcome {
    this.#parts.opened.unfinished.addTemp(path, tempName);
    return { ...otherRoot(), unfinished: true };
  }
}

function otherRoot(): Refused {
  return refusal('root', 'EROOT', 'The folder is not the one that was planned for.');
}
