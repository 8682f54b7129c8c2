// The set of paths that a provider listed, in eight bytes each. Two paths with the same hash (one chance in 10^7 among a million)
// count as one: then a deleted file remains.
import { createHash } from 'node:crypto';

const startSlots = 1024;
/** More than this share of taken slots makes the search for a free one long. */
const loadMax = 0.5;

export class PathSet {
  #slots = new BigUint64Array(startSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(path: string): boolean {
    return this.#slots[this.#slotOf(hashOfPath(path))] !== 0n;
  }

  /** false: it is there already. */
  add(path: string): boolean {
    const hash = hashOfPath(path);
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] !== 0n) return false;
    this.#slots[slot] = hash;
    this.#size += 1;
    if (this.#size > this.#slots.length * loadMax) this.#grow();
    return true;
  }

  /** Where it is, or where it would be. */
  #slotOf(hash: bigint): number {
    const mask = this.#slots.length - 1;
    let slot = Number(hash & BigInt(mask));
    while (this.#slots[slot] !== 0n && this.#slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new BigUint64Array(old.length * 2);
    for (const hash of old) if (hash !== 0n) this.#slots[this.#slotOf(hash)] = hash;
  }
}

function hashOfPath(path: string): bigint {
  // Zero marks a free slot.
  return createHash('sha256').update(path).digest().readBigUInt64LE() || 1n;
}
