// Hashes, comparisons and randomness that every room may use. Keys and signatures belong to auth.
import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Turns } from '../event-loop.ts';

const sliceBytes = 1024 * 1024;

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

/** The id that git gives to a file's bytes, 40 hex digits: SHA-1 over `blob <size>\0` and the bytes. SHA-1 is git's format; it protects
 * nothing here. */
export function gitBlobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The same in slices, between which the event loop runs. */
export async function gitBlobIdInSlices(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha1').update(`blob ${bytes.length}\0`);
  const turns = new Turns();
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    hash.update(bytes.subarray(from, from + sliceBytes));
    await turns.next();
  }
  return hash.digest('hex');
}
