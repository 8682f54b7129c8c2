// The base of a mirror in memory: a row for each file that both sides agree on, in columns (core/sync/file-columns.ts). It answers
// objects that are made for each question, so that at rest none of them exists. No I/O.
import { PathRows } from '../../core/paths/path-rows.ts';
import { grown, noRow } from '../../core/paths/row-slots.ts';
import { FileColumns } from '../../core/sync/file-columns.ts';
import type { BaseRow } from '../../store/port/store.ts';

/** Decimal texts that a column holds and gives back as they were: up to 19 digits below 9 * 10^18. */
const columnNumber = /^(0|-?[1-9]\d{0,17}|-?[1-8]\d{18})$/;
const modeMax = 0xffff;
const growth = 1.5;

export class BaseTable {
  readonly #paths = new PathRows();
  readonly #files = new FileColumns();
  #revisions = new Float64Array(64);
  /** Rows that columns cannot hold as they are, such as an inode number of 20 digits. */
  readonly #whole = new Map<number, BaseRow>();
  /** Steps of a sync ask for the same path several times in a row. */
  #last: BaseRow | null = null;

  get size(): number {
    return this.#paths.size;
  }

  /** In no order to rely on; nothing may be set or deleted meanwhile. */
  *paths(): IterableIterator<string> {
    for (const row of this.#paths.rows()) yield this.#paths.pathOf(row);
  }

  has(path: string): boolean {
    return this.#paths.find(path) !== noRow;
  }

  get(path: string): BaseRow | null {
    if (this.#last?.path === path) return this.#last;
    const at = this.#paths.find(path);
    if (at === noRow) return null;
    this.#last = this.#whole.get(at) ?? this.#read(at, path);
    return this.#last;
  }

  set(row: BaseRow): void {
    const at = this.#paths.add(row.path);
    this.#last = row;
    if (!fitsColumns(row)) {
      this.#whole.set(at, row);
      return;
    }
    this.#whole.delete(at);
    this.#files.set(at, {
      ...row,
      mtimeNs: BigInt(row.mtimeNs),
      ctimeNs: BigInt(row.ctimeNs),
      inode: BigInt(row.inode),
    });
    if (at >= this.#revisions.length)
      this.#revisions = grown(this.#revisions, new Float64Array(Math.ceil((at + 1) * growth)));
    this.#revisions[at] = row.revision;
  }

  delete(path: string): void {
    const at = this.#paths.find(path);
    if (at === noRow) return;
    this.#last = null;
    this.#whole.delete(at);
    this.#files.clear(at);
    this.#paths.remove(at);
  }

  /** Does the workspace have this file as agreed on? */
  hasRevision(path: string, hash: string, revision: number): boolean {
    const at = this.#paths.find(path);
    if (at === noRow) return false;
    const whole = this.#whole.get(at);
    if (whole !== undefined) return whole.hash === hash && whole.revision === revision;
    return this.#revisions[at] === revision && this.#files.hasHash(at, hash);
  }

  #read(at: number, path: string): BaseRow {
    const { hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted } = this.#files.get(at);
    const revision = this.#revisions[at] as number;
    return {
      path,
      hash,
      sizeBytes,
      mtimeNs: String(mtimeNs),
      ctimeNs: String(ctimeNs),
      inode: String(inode),
      mode,
      trusted,
      revision,
    };
  }
}

function fitsColumns({ mtimeNs, ctimeNs, inode, mode }: BaseRow): boolean {
  return (
    columnNumber.test(mtimeNs) &&
    columnNumber.test(ctimeNs) &&
    columnNumber.test(inode) &&
    !inode.startsWith('-') &&
    Number.isInteger(mode) &&
    mode >= 0 &&
    mode <= modeMax
  );
}
