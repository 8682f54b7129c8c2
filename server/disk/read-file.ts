// Reading a file so that what was read is one state of it: the identity is taken from the open file before and after, and a
// file that changed meanwhile counts as not read. It never follows a link and never waits for a pipe.
import { createSha256, sha256Hex } from '../platform/crypto.ts';
import { errorCode, type FileStat, type FileSystem } from './file-system.ts';
import { sameIdentity } from './local-tree.ts';

const chunkBytes = 256 * 1024;
const chunk = new Uint8Array(chunkBytes);

export type HashOutcome =
  | { readonly kind: 'hashed'; readonly hash: string; readonly stat: FileStat }
  | { readonly kind: 'changed' }
  | { readonly kind: 'unreadable'; readonly detail: string };

/** `seen`: what lstat said; null accepts whatever regular file is there. Memory: one chunk, whatever the file's size. */
export function hashFile(fs: FileSystem, path: string, seen: FileStat | null): HashOutcome {
  return withFile(fs, path, seen, (handle, stat) => hashOpen(fs, handle, stat.sizeBytes));
}

/** The first `sizeBytes` of an open file; null: it has fewer. */
export function hashOpen(fs: FileSystem, handle: number, sizeBytes: number): string | null {
  if (sizeBytes <= chunkBytes) {
    const bytes = chunk.subarray(0, sizeBytes);
    return fill(fs, handle, bytes, 0) === bytes.length ? sha256Hex(bytes) : null;
  }
  const running = createSha256();
  for (let position = 0; position < sizeBytes; ) {
    const count = fs.read(handle, chunk, position);
    if (count === 0) return null;
    running.update(chunk.subarray(0, count));
    position += count;
  }
  return running.hex();
}

export type BytesOutcome =
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly hash: string;
      readonly stat: FileStat;
    }
  | { readonly kind: 'changed' }
  | { readonly kind: 'unreadable'; readonly detail: string };

/** The whole file; the caller has bounded its size. */
export function readWhole(fs: FileSystem, path: string, seen: FileStat | null): BytesOutcome {
  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  const outcome = withFile(fs, path, seen, (handle, stat) => {
    bytes = new Uint8Array(stat.sizeBytes);
    return fill(fs, handle, bytes, 0) === bytes.length ? sha256Hex(bytes) : null;
  });
  return outcome.kind === 'hashed'
    ? { kind: 'read', bytes, hash: outcome.hash, stat: outcome.stat }
    : outcome;
}

/** `read` returns the hash, or null when the file was shorter than it had said. */
function withFile(
  fs: FileSystem,
  path: string,
  seen: FileStat | null,
  read: (handle: number, stat: FileStat) => string | null,
): HashOutcome {
  let handle: number;
  try {
    handle = fs.openToRead(path);
  } catch (error) {
    const code = errorCode(error);
    // Gone, or a link in its place: what was seen is not there any more.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return { kind: 'changed' };
    return { kind: 'unreadable', detail: code };
  }
  try {
    const before = fs.fstat(handle);
    if (before.kind !== 'file' || (seen !== null && !sameIdentity(before, seen))) return { kind: 'changed' };
    const hash = read(handle, before);
    if (hash === null || !sameIdentity(before, fs.fstat(handle))) return { kind: 'changed' };
    return { kind: 'hashed', hash, stat: before };
  } catch (error) {
    return { kind: 'unreadable', detail: errorCode(error) };
  } finally {
    fs.close(handle);
  }
}

function fill(fs: FileSystem, handle: number, bytes: Uint8Array, from: number): number {
  let position = from;
  while (position < bytes.length) {
    const count = fs.read(handle, bytes.subarray(position), position);
    if (count === 0) break;
    position += count;
  }
  return position;
}
