// Writes the tar of an export in chunks: names without the leading slash, mode 0644, time of the last edit, the decoded bytes. Large
// contents are streamed. A tar that failed never gets its end.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import type { ExportedFile } from './exported-file.ts';

/** A header is one block, and a content whole blocks. */
export const tarBlockBytes = 512;
/** Larger content is streamed; up to here one read costs less. */
const wholeBytesMax = 1024 * 1024;
/** What is compressed or sent at once. Pieces of a tar are a few hundred bytes, each a message to the thread pool. */
const chunkBytes = 256 * 1024;

/** `level` 0: not compressed. */
export async function* writeTar(
  files: AsyncIterable<ExportedFile>,
  level: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = inChunks(tarOf(files));
  yield* level === 0 ? chunks : gzipped(chunks, level);
}

/**
 * In one thread of the pool: chunks that two threads compress independently took a quarter more processor time when both cores were
 * busy.
 */
async function* gzipped(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  level: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gzip = createGzip({ level, chunkSize: chunkBytes });
  // A failure is reported where the result is read.
  const piped = pipeline(Readable.from(chunks), gzip).catch(() => undefined);
  try {
    yield* gzip as AsyncIterable<Uint8Array>;
  } finally {
    gzip.destroy();
    await piped;
    await chunks.return();
  }
}

async function* tarOf(files: AsyncIterable<ExportedFile>): AsyncGenerator<Uint8Array, void, undefined> {
  const tar = pack();
  let failure: Error | null = null;
  const filled = fillTar(tar, files).catch((error: unknown) => {
    failure =
      error instanceof Error ? error : new Error('an export could not read its files', { cause: error });
    tar.destroy(failure);
  });
  try {
    for await (const piece of tar) yield piece as Uint8Array;
    await filled;
    if (failure !== null) throw failure;
  } finally {
    // After a cancellation, `fillTar` ends at its next entry.
    tar.destroy();
    await filled;
  }
}

/** A failure discards the chunk that is being filled. */
async function* inChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const count = Math.min(piece.length - at, chunkBytes - filled);
      chunk.set(piece.subarray(at, at + count), filled);
      at += count;
      filled += count;
      if (filled < chunkBytes) continue;
      yield chunk;
      chunk = Buffer.allocUnsafeSlow(chunkBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

async function fillTar(tar: Pack, files: AsyncIterable<ExportedFile>): Promise<void> {
  for await (const file of files) {
    const { path, editedAtMs, sizeBytes } = file.entry;
    const header = { name: path.slice(1), mode: 0o644, mtime: new Date(editedAtMs), size: sizeBytes };
    if (sizeBytes > wholeBytesMax) await addStream(tar, header, await file.open());
    else {
      const bytes = await file.read();
      await orCanceled(tar, (done) => tar.entry({ ...header, size: bytes.length }, bytes, done));
    }
  }
  tar.finalize();
}

async function addStream(
  tar: Pack,
  header: Parameters<Pack['entry']>[0],
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const entry = tar.entry(header);
  const ended = orCanceled(tar, (done) => entry.once('error', done).once('close', done));
  // A failed read is reported first.
  ended.catch(() => undefined);
  for await (const piece of content) {
    // The tar was destroyed: `ended` says why.
    if (tar.destroyed) break;
    if (!entry.write(piece)) await orCanceled(tar, (done) => entry.once('drain', done));
  }
  entry.end(null);
  await ended;
}

/** Begins a step of the tar and waits for it. A tar that is destroyed meanwhile calls nothing back. */
function orCanceled(tar: Pack, begin: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const canceled = () => reject(new Error('the export was canceled'));
    if (tar.destroyed) return canceled();
    tar.once('close', canceled);
    begin((error) => {
      tar.off('close', canceled);
      if (error) reject(error);
      else resolve();
    });
  });
}
