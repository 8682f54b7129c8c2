// A folder that counts what crosses its port: the largest buffer, and how many pieces are under way at once.
import type { Folder, FolderOperation } from '../../server/disk/port/folder.ts';

export class FolderCounter {
  largestBytes = 0;
  carriedBytes = 0;
  mostUnderWay = 0;
  #underWay = 0;

  /** `before` runs before each piece, and may hold it back. */
  wrap(
    folder: Folder,
    before: (call: 'readPiece' | 'writePiece', position: number) => Promise<void>,
  ): Folder {
    return {
      open: (options) => folder.open(options),
      watch: () => folder.watch(),
      scan: (scope) => folder.scan(scope),
      markDirty: (directory) => folder.markDirty(directory),
      read: async (requests) => {
        const outcomes = await folder.read(requests);
        for (const outcome of outcomes) this.#count(outcome.ok ? outcome.bytes.length : 0);
        return outcomes;
      },
      readPiece: (request) =>
        this.#during(async () => {
          await before('readPiece', request.position);
          const outcome = await folder.readPiece(request);
          this.#count(outcome.ok ? outcome.bytes.length : 0);
          return outcome;
        }),
      writePiece: (piece) =>
        this.#during(async () => {
          // The memory changes hands: all of it counts, not only what is written of it.
          this.#count(piece.bytes.buffer.byteLength);
          await before('writePiece', piece.position);
          return await folder.writePiece(piece);
        }),
      dropPieces: (path, tempName) => folder.dropPieces(path, tempName),
      apply: (operations) => {
        for (const operation of operations) this.#count(bytesOf(operation));
        return folder.apply(operations);
      },
      recover: (intents) => folder.recover(intents),
      mark: (markerId) => folder.mark(markerId),
      writeNotes: (notes) => folder.writeNotes(notes),
      prove: (request) => folder.prove(request),
      rehash: () => folder.rehash(),
      close: () => folder.close(),
    };
  }

  #count(bytes: number): void {
    this.largestBytes = Math.max(this.largestBytes, bytes);
    this.carriedBytes += bytes;
  }

  async #during<T>(act: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.#underWay);
    try {
      return await act();
    } finally {
      this.#underWay -= 1;
    }
  }
}

function bytesOf(operation: FolderOperation): number {
  return operation.kind === 'put' ? (operation.bytes?.byteLength ?? 0) : 0;
}
