// The name that git gives to a file's bytes. SHA-1 because git's format says so; it protects nothing here.
import { createHash } from 'node:crypto';

/** 40 hex digits: SHA-1 over `blob <size>\0` and the bytes. */
export function gitBlobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
