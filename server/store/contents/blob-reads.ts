// Reads files of large contents and verifies them. A content is named by the hash of its bytes, so a complete read detects whether
// the disk still has what was stored: a corrupt content is refused and never delivered as intact.
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { createSha256, type Sha256, sha256Hex, sha256HexInSlices } from '../../platform/crypto/hashes.ts';
import { CorruptContentError } from '../port/errors.ts';
import type { ByteRange } from '../port/store.ts';

/**
 * Below the size from which malloc asks the system for each block anew (cli/respawn-with-flags.ts), also as base64, and without a
 * remainder in it. Measured with 60 MB: with 64 KiB twice as long, as base64 three times.
 */
const chunkBytes = 45 * 1024;
/** Hashing more than this leaves the event loop to others meanwhile. */
const hashInlineBytesMax = 256 * 1024;

export async function readBlob(file: string, hash: string): Promise<Buffer> {
  const bytes = await readFile(file).catch((error: unknown) => missing(hash, error));
  if ((await sha256(bytes)) !== hash) throw new CorruptContentError(hash, 'is corrupted');
  return bytes;
}

/** The file is open when this resolves: it can be read to its end even if it is unlinked meanwhile. */
export async function openBlob(
  file: string,
  hash: string,
  range?: ByteRange,
): Promise<{ sizeBytes: number; stream: ReadableStream<Uint8Array> }> {
  const handle = await open(file, 'r').catch((error: unknown) => missing(hash, error));
  const { size } = await handle.stat();
  const { start, end } = { start: 0, end: size, ...range };
  const whole = start === 0 && end === size ? createSha256() : null;
  return { sizeBytes: size, stream: streamOf(handle, { start, end }, hash, whole) };
}

function missing(hash: string, error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    throw new CorruptContentError(hash, 'is missing', { cause: error });
  throw error;
}

/**
 * Reads on demand, and closes the file at its end or when the reader cancels. The last chunk of a whole content is delivered only
 * after its hash was verified.
 */
function streamOf(
  handle: FileHandle,
  { start, end }: ByteRange,
  hash: string,
  running: Sha256 | null,
): ReadableStream<Uint8Array> {
  let position = start;
  const next = async (): Promise<Uint8Array> => {
    const chunk = new Uint8Array(Math.min(chunkBytes, end - position));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    position += bytesRead;
    const bytes = chunk.subarray(0, bytesRead);
    if (bytesRead > 0) running?.update(bytes);
    const isCutShort = bytesRead === 0 && position < end;
    if (isCutShort || (running !== null && position === end && bytesRead > 0 && running.hex() !== hash))
      throw new CorruptContentError(hash, 'is corrupted');
    return bytes;
  };
  return new ReadableStream({
    async pull(controller) {
      const bytes = await next().catch(async (error: unknown) => {
        await handle.close();
        throw error;
      });
      if (bytes.length > 0) controller.enqueue(bytes);
      else {
        await handle.close();
        controller.close();
      }
    },
    cancel: () => handle.close(),
  });
}

export async function sha256(bytes: Uint8Array): Promise<string> {
  // Web Crypto has threads for it, but copies the bytes first, which takes the main thread longer than the hash.
  return bytes.byteLength <= hashInlineBytesMax ? sha256Hex(bytes) : await sha256HexInSlices(bytes);
}

/** Lower-case SHA-256 hex of the file's bytes; null: no file. */
export async function hashOfFile(file: string): Promise<string | null> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const running = createSha256();
    const chunk = new Uint8Array(4 * chunkBytes);
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return running.hex();
      running.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
