// Reads one consistent state of a file: compares the identity of the open file before and after, and treats a file that changed
// meanwhile as not read. It never follows a link and never blocks on a pipe.
import { createSha256, sha256Hex } from '../../platform/crypto/hashes.ts';
import { errorCode, type FileStat, type FileSystem } from '../port/file-system.ts';
import type { ReadOutcome, ReadRequest } from '../port/folder.ts';
import { fileNode, type Identity, sameIdentity } from './local-tree.ts';

const chunkBytes = 256 * 1024;
const chunk = new Uint8Array(chunkBytes);

type NotRead = { readonly kind: 'changed' } | { readonly kind: 'unreadable'; readonly detail: string };

export type HashOutcome =
  | { readonly kind: 'hashed'; readonly hash: string; readonly stat: FileStat }
  | NotRead;

/** `seen`: what lstat said; null accepts whatever regular file is there. Memory: one chunk, whatever the file's size. */
export function hashFile(fs: FileSystem, path: string, seen: Identity | null): HashOutcome {
  const outcome = withFile(fs, path, seen, (handle, stat) => hashOpen(fs, handle, stat.sizeBytes), false);
  return outcome.kind === 'seen' ? { kind: 'hashed', hash: outcome.value, stat: outcome.stat } : outcome;
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
  | NotRead;

/** The whole file; one with more than `bytesMax` is not what the caller has looked at. */
export function readWhole(fs: FileSystem, path: string, bytesMax: number): BytesOutcome {
  const outcome = withFile(fs, path, null, (handle, { sizeBytes }) =>
    sizeBytes > bytesMax ? null : take(fs, handle, 0, sizeBytes),
  );
  return outcome.kind === 'seen'
    ? { kind: 'read', bytes: outcome.value, hash: sha256Hex(outcome.value), stat: outcome.stat }
    : outcome;
}

/** Bytes of the very file that was seen: as many as asked for, or up to its end. null: it is another one by now. */
export function readChunk(
  fs: FileSystem,
  path: string,
  seen: Identity,
  position: number,
  bytesMax: number,
): Uint8Array<ArrayBuffer> | null {
  const count = Math.max(0, Math.min(bytesMax, seen.sizeBytes - position));
  const outcome = withFile(fs, path, seen, (handle) => take(fs, handle, position, count));
  return outcome.kind === 'seen' ? outcome.value : null;
}

type Seen<T> = { readonly kind: 'seen'; readonly value: T; readonly stat: FileStat } | NotRead;

/**
 * `read` returns null when the file was shorter than it had said. `leavesRoom`: the value goes to others; a hash does not, as
 * nothing but an equal one follows from it.
 */
function withFile<T>(
  fs: FileSystem,
  path: string,
  seen: Identity | null,
  read: (handle: number, stat: FileStat) => T | null,
  leavesRoom = true,
): Seen<T> {
  let handle: number;
  try {
    handle = fs.openToRead(path);
  } catch (error) {
    const code = errorCode(error);
    // Gone, a link in its place, or its directory is another: what was seen is not there any more.
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ESTALE'].includes(code)) return { kind: 'changed' };
    return { kind: 'unreadable', detail: code };
  }
  try {
    const before = fs.fstat(handle);
    if (before.kind !== 'file' || (seen !== null && !sameIdentity(before, seen))) return { kind: 'changed' };
    const value = read(handle, before);
    if (value === null || !sameIdentity(before, fs.fstat(handle))) return { kind: 'changed' };
    if (leavesRoom) fs.verifyPlace(path);
    return { kind: 'seen', value, stat: before };
  } catch (error) {
    const code = errorCode(error);
    return code === 'ESTALE' ? { kind: 'changed' } : { kind: 'unreadable', detail: code };
  } finally {
    fs.close(handle);
  }
}

function take(
  fs: FileSystem,
  handle: number,
  position: number,
  count: number,
): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(count);
  return fill(fs, handle, bytes, position) === count ? bytes : null;
}

/** How many bytes there were for it. */
function fill(fs: FileSystem, handle: number, bytes: Uint8Array, from: number): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = fs.read(handle, bytes.subarray(filled), from + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** Yields after each file. Outcomes stand in the requests' order; the caller has bounded the sizes. */
export function* readFiles(
  fs: FileSystem,
  root: string,
  requests: readonly ReadRequest[],
): Generator<undefined, readonly ReadOutcome[]> {
  const outcomes: ReadOutcome[] = [];
  for (const { path, expected } of requests) {
    const outcome = readWhole(fs, root + path, expected.sizeBytes);
    const asSeen =
      outcome.kind === 'read' &&
      outcome.hash === expected.hash &&
      sameIdentity(outcome.stat, fileNode(expected));
    outcomes.push(asSeen ? { ok: true, bytes: outcome.bytes } : { ok: false });
    yield;
  }
  return outcomes;
}
