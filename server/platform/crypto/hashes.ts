// Hashes, constant-time comparison and random bytes for every module. Keys and signatures belong to auth.
import { createHash, type Hash, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { TimeSlices } from '../event-loop.ts';

const sliceBytes = 1024 * 1024;

/** Returns that many random bytes; tests pass a fixed sequence. */
export type RandomBytes = (count: number) => Uint8Array;

export const systemRandom: RandomBytes = (count) => randomBytes(count);

const pooledBytes = 4_096;

/**
 * The system's random bytes, asked for in larger pieces: a name of 16 characters costs a fifth. For ids, not for secrets, which should not lie
 * in memory before they are used.
 */
export function pooledRandom(): RandomBytes {
  let pool: Uint8Array = new Uint8Array(0);
  return (count) => {
    if (count > pool.length) pool = randomBytes(Math.max(count, pooledBytes));
    const taken = pool.subarray(0, count);
    pool = pool.subarray(count);
    return taken;
  };
}

/** Lower-case SHA-256 hex of bytes, or of a text's UTF-8. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex');
}

/** The same, with a return to the event loop between slices. */
export async function sha256HexInSlices(bytes: Uint8Array): Promise<string> {
  return await inSlices(createHash('sha256'), bytes);
}

/** Incremental SHA-256. */
export interface Sha256 {
  update(chunk: Uint8Array): void;
  /** Lower-case hex. Call once, after the last update. */
  hex(): string;
}

export function createSha256(): Sha256 {
  const running = createHash('sha256');
  return {
    update(chunk) {
      running.update(chunk);
    },
    hex: () => running.digest('hex'),
  };
}

/** Compares two secrets in a time that does not depend on the position of a difference or on their lengths. */
export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}

/** The id that git gives to a file's bytes, 40 hex digits: SHA-1 over `blob <size>\0` and the bytes. SHA-1 is git's format; it protects
 * nothing here. */
export function gitBlobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The same, with a return to the event loop between slices. */
export async function gitBlobIdInSlices(bytes: Uint8Array): Promise<string> {
  return await inSlices(createHash('sha1').update(`blob ${bytes.length}\0`), bytes);
}

async function inSlices(begun: Hash, bytes: Uint8Array): Promise<string> {
  const slices = new TimeSlices();
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    begun.update(bytes.subarray(from, from + sliceBytes));
    await slices.next();
  }
  return begun.digest('hex');
}
