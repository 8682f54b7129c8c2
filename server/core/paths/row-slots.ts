// A hash index over numbered rows: an open-addressing table of integers, without an object for each row. What a row's key is, its
// owner knows. Pure.

/** No row has this number. */
export const noRow = -1;

const slotsMin = 16;
/** Of the slots, at most so many are taken: runs of taken slots stay short. */
const fillMax = 0.6;

export class RowSlots {
  /** Row + 1; 0: free. */
  #slots = new Int32Array(slotsMin);
  #mask = slotsMin - 1;
  #taken = 0;
  readonly #hashOf: (row: number) => number;

  /** `hashOf`: of the key that a row has while it is indexed. */
  constructor(hashOf: (row: number) => number) {
    this.#hashOf = hashOf;
  }

  /** Where the search for a hash begins. */
  first(hash: number): number {
    return hash & this.#mask;
  }

  /** The slot after one with another key's row. */
  next(slot: number): number {
    return (slot + 1) & this.#mask;
  }

  /** `noRow`: the key is not indexed. */
  rowAt(slot: number): number {
    return (this.#slots[slot] as number) - 1;
  }

  /** Another row, with the same key, takes the place. */
  replace(slot: number, row: number): void {
    this.#slots[slot] = row + 1;
  }

  /** Its key must not be indexed. */
  add(row: number): void {
    if (this.#taken + 1 > this.#slots.length * fillMax) this.#grow();
    this.#taken += 1;
    this.#put(row);
  }

  /** It must be indexed. */
  remove(row: number): void {
    let hole = this.first(this.#hashOf(row));
    while (this.rowAt(hole) !== row) hole = this.next(hole);
    // Rows that were pushed on from before the hole are moved into it: no marks are left for searches to step over.
    for (let at = this.next(hole); this.rowAt(at) !== noRow; at = this.next(at)) {
      const home = this.first(this.#hashOf(this.rowAt(at)));
      if (((at - home) & this.#mask) < ((at - hole) & this.#mask)) continue;
      this.#slots[hole] = this.#slots[at] as number;
      hole = at;
    }
    this.#slots[hole] = 0;
    this.#taken -= 1;
  }

  #put(row: number): void {
    let slot = this.first(this.#hashOf(row));
    while (this.rowAt(slot) !== noRow) slot = this.next(slot);
    this.#slots[slot] = row + 1;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    this.#mask = this.#slots.length - 1;
    for (const taken of old) if (taken !== 0) this.#put(taken - 1);
  }
}

/** Spreads the bits of a hash over its low ones, which choose the slot. */
export function mixed(hash: number): number {
  let mix = hash ^ (hash >>> 15);
  mix = Math.imul(mix, 0x2c1b3c6d);
  mix ^= mix >>> 12;
  mix = Math.imul(mix, 0x297a2d39);
  return (mix ^ (mix >>> 15)) >>> 0;
}

/** A larger column, with what the smaller one holds. */
export function grown<Column extends { set(values: Column): void }>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}
