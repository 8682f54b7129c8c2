// Hashes, comparisons and randomness that every room may use. Keys and signatures belong to auth.
import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Draws that many random bytes; tests hand in a sequence of their own. */
export type RandomBytes = (count: number) => Uint8Array;

export const systemRandom: RandomBytes = (count) => randomBytes(count);

/** Lower-case SHA-256 hex of bytes, or of a text's UTF-8. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex');
}

/** SHA-256 of what arrives in pieces. */
export interface Sha256 {
  update(piece: Uint8Array): void;
  /** Lower-case hex. Call once, at the end. */
  hex(): string;
}

export function createSha256(): Sha256 {
  const running = createHash('sha256');
  return {
    update(piece) {
      running.update(piece);
    },
    hex: () => running.digest('hex'),
  };
}

/** Compares two secrets in a time that tells nothing about where, or whether in length, they differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
