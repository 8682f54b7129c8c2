// The name that git gives to a file's bytes. SHA-1 because git's format says so; it protects nothing here.
import { createHash } from 'node:crypto';
import { Turns } from '../turns.ts';

const sliceBytes = 1024 * 1024;

/** 40 hex digits: SHA-1 over `blob <size>\0` and the bytes. */
export function gitBlobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The same, and others get their turn between two slices. */
export async function gitBlobIdInSlices(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha1').update(`blob ${bytes.length}\0`);
  const turns = new Turns();
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    hash.update(bytes.subarray(from, from + sliceBytes));
    await turns.next();
  }
  return hash.digest('hex');
}
