// Files that a scan will read, as they were listed, in columns: a first scan lists every file before it reads the first one. Memory only.
import { PathRows } from '../../core/paths/path-rows.ts';
import { grown, noRow } from '../../core/paths/row-slots.ts';
import type { Identity } from '../tree/local-tree.ts';

const rowsMin = 64;
const growth = 1.5;

export class FilesToRead {
  readonly #paths = new PathRows();
  #sizeBytes = new Float64Array(rowsMin);
  #mtimeNs = new BigInt64Array(rowsMin);
  #ctimeNs = new BigInt64Array(rowsMin);
  #inode = new BigUint64Array(rowsMin);

  get size(): number {
    return this.#paths.size;
  }

  get bytes(): number {
    let bytes = 0;
    for (const row of this.#paths.rows()) bytes += this.#sizeBytes[row] as number;
    return bytes;
  }

  set(path: string, { sizeBytes, mtimeNs, ctimeNs, inode }: Identity): void {
    const row = this.#paths.add(path);
    if (row >= this.#sizeBytes.length) this.#grow(row);
    this.#sizeBytes[row] = sizeBytes;
    this.#mtimeNs[row] = mtimeNs;
    this.#ctimeNs[row] = ctimeNs;
    this.#inode[row] = inode;
  }

  /** It is not to be read after all; as it was listed, or undefined. */
  take(path: string): Identity | undefined {
    const row = this.#paths.find(path);
    return row === noRow ? undefined : this.#take(row);
  }

  /** One after the other, each removed; none may be set meanwhile. */
  *takeAll(): IterableIterator<readonly [path: string, listed: Identity]> {
    for (const row of this.#paths.rows()) {
      const path = this.#paths.pathOf(row);
      yield [path, this.#take(row)];
    }
  }

  #take(row: number): Identity {
    this.#paths.remove(row);
    return {
      sizeBytes: this.#sizeBytes[row] as number,
      mtimeNs: this.#mtimeNs[row] as bigint,
      ctimeNs: this.#ctimeNs[row] as bigint,
      inode: this.#inode[row] as bigint,
    };
  }

  #grow(row: number): void {
    const rows = Math.ceil((row + 1) * growth);
    this.#sizeBytes = grown(this.#sizeBytes, new Float64Array(rows));
    this.#mtimeNs = grown(this.#mtimeNs, new BigInt64Array(rows));
    this.#ctimeNs = grown(this.#ctimeNs, new BigInt64Array(rows));
    this.#inode = grown(this.#inode, new BigUint64Array(rows));
  }
}
