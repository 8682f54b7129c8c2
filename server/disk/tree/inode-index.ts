// Finds the row of the file that was seen last with an inode. Memory only.
import { mixed, noRow, RowSlots } from '../../core/paths/row-slots.ts';
import type { FileColumns } from '../../core/sync/file-columns.ts';

export class InodeIndex {
  readonly #files: FileColumns;
  readonly #slots: RowSlots;

  constructor(files: FileColumns) {
    this.#files = files;
    this.#slots = new RowSlots((row) => hashOf(files.inodeAt(row)));
  }

  /** `noRow`: none. */
  find(inode: bigint): number {
    return this.#slots.rowAt(this.#slotOf(inode));
  }

  /** After the row's file was set. It takes the inode from the row that had it: another name of the same file. */
  add(row: number): void {
    const slot = this.#slotOf(this.#files.inodeAt(row));
    if (this.#slots.rowAt(slot) === noRow) this.#slots.add(row);
    else this.#slots.replace(slot, row);
  }

  /** Before the row's file is changed. */
  remove(row: number): void {
    if (this.find(this.#files.inodeAt(row)) === row) this.#slots.remove(row);
  }

  #slotOf(inode: bigint): number {
    let slot = this.#slots.first(hashOf(inode));
    for (;;) {
      const row = this.#slots.rowAt(slot);
      if (row === noRow || this.#files.inodeAt(row) === inode) return slot;
      slot = this.#slots.next(slot);
    }
  }
}

function hashOf(inode: bigint): number {
  return mixed(Number(inode & 0xffff_ffffn) ^ Math.imul(Number((inode >> 32n) & 0xffff_ffffn), 0x9e3779b1));
}
