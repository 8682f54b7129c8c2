// Encoded events of one workspace in the order of the feed, adjacent in one buffer, so that a page copies a range of bytes.
import type { EventRow } from '../store/port/store.ts';
import { eventText } from './event-text.ts';

/** A block starts small, because most workspaces have few recent events. */
const blockBytesMin = 4 * 1024;
/** A block with so many bytes is full: one more event mostly fits into its 64 KiB. */
const blockBytesFull = 60 * 1024;
/** Of an event beside its text: its number and its end. */
const eventOverheadBytes = 16;
const utf8BytesPerCharacterMax = 3;
const comma = 0x2c;

export class EventBlock {
  /** Every event of the workspace after this position and up to `last` is in the block. */
  after: number;
  readonly #seqs: number[] = [];
  /** End of each event's text, without the comma that follows. */
  readonly #ends: number[] = [];
  #bytes = Buffer.allocUnsafeSlow(blockBytesMin);
  #length = 0;

  constructor(after: number) {
    this.after = after;
  }

  get last(): number {
    return this.#seqs.at(-1) ?? this.after;
  }

  get isFull(): boolean {
    return this.#length >= blockBytesFull;
  }

  get heldBytes(): number {
    return this.#bytes.length + this.#seqs.length * eventOverheadBytes;
  }

  /** `row`: the next event of the workspace. */
  add(row: EventRow): void {
    const text = eventText(row);
    const needed = this.#length + text.length * utf8BytesPerCharacterMax + 1;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    this.#seqs.push(row.seq);
    this.#ends.push(this.#length);
    this.#bytes[this.#length] = comma;
    this.#length += 1;
  }

  /** Up to `limit` events after a position, with a comma after each. The bytes never change: they are only added to. */
  slice(
    from: number,
    limit: number,
  ): { readonly bytes: Uint8Array; readonly count: number; readonly last: number } {
    const first = this.#firstAfter(from);
    const end = Math.min(first + limit, this.#seqs.length);
    const start = first === 0 ? 0 : this.#endOf(first - 1);
    return {
      bytes: this.#bytes.subarray(start, end === 0 ? start : this.#endOf(end - 1)),
      count: end - first,
      last: this.#seqs[end - 1] ?? from,
    };
  }

  /** With its comma. */
  #endOf(index: number): number {
    return (this.#ends[index] ?? 0) + 1;
  }

  #grow(needed: number): void {
    // Pages may still refer to the previous buffer.
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #firstAfter(position: number): number {
    let low = 0;
    let high = this.#seqs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#seqs[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
