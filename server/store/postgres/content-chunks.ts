// Large contents in the database, in pieces. They are stored before the change that names them, outside of its transaction, and removed
// by retention (hub-maintenance.ts) a day after the last time that they were stored.
import { createReadStream } from 'node:fs';
import { mkdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Content } from '../../core/change/change.ts';
import { createSha256 } from '../../platform/crypto/hashes.ts';
import { inlineBytesMax } from '../contents/blob-files.ts';
import { sha256 } from '../contents/blob-reads.ts';
import type { BlobStore } from '../contents/blob-store.ts';
import { IncomingBlob } from '../contents/incoming-blob.ts';
import { inlineBlob } from '../contents/inline-content.ts';
import { bytesOf } from '../database/rows.ts';
import { CorruptContentError, StoreUnavailableError } from '../port/errors.ts';
import type { ByteRange } from '../port/store.ts';
import { isLostConnection, resultTypes } from './session.ts';

/** Measured: 64 KiB 33 and 30, 256 KiB 71 and 68, 512 KiB 115 and 91, 1 MiB 122 and 81 MiB/s written and read. */
const chunkBytes = 512 * 1024;
/** Chunks of one transaction. */
const chunksTogether = 16;
/** A content that is stored again within this time is not marked anew. */
const markedMs = 60 * 60 * 1000;

export class ContentChunks implements BlobStore {
  readonly #pool: pg.Pool;
  readonly #incoming: string;
  readonly #nowMs: () => number;

  /** `dataDir`: streams wait there until their hash is known. */
  constructor(pool: pg.Pool, dataDir: string, nowMs: () => number) {
    this.#pool = pool;
    this.#incoming = path.join(dataDir, 'incoming');
    this.#nowMs = nowMs;
  }

  async stage(bytes: Uint8Array): Promise<Content> {
    const hash = await sha256(bytes);
    const sizeBytes = bytes.byteLength;
    if (sizeBytes <= inlineBytesMax) return inlineBlob(hash, bytes);
    await this.#store(hash, sizeBytes, chunksOf(bytes));
    return { hash, sizeBytes, staged: true };
  }

  async stageStream(
    source: AsyncIterable<Uint8Array>,
    bytesMax: number,
  ): Promise<{ readonly content: Content; readonly isText: boolean }> {
    await mkdir(this.#incoming, { recursive: true, mode: 0o700 });
    const temporary = path.join(this.#incoming, crypto.randomUUID());
    const received = await new IncomingBlob(temporary, inlineBytesMax).receive(source, bytesMax);
    const { hash, sizeBytes, isText, bytes } = received;
    if (bytes !== null) return { content: inlineBlob(hash, bytes), isText };
    try {
      await this.#store(hash, sizeBytes, createReadStream(temporary, { highWaterMark: chunkBytes }));
    } finally {
      await unlink(temporary);
    }
    return { content: { hash, sizeBytes, staged: true }, isText };
  }

  unstage(_hash: string): void {
    // Contents that nothing names are removed by their age.
  }

  async read(hash: string): Promise<Buffer> {
    const { rows } = await this.#query<{ bytes: Buffer }>(
      'SELECT bytes FROM chunks WHERE hash = $1 ORDER BY n',
      [bytesOf(hash)],
    );
    if (rows.length === 0) throw new CorruptContentError(hash, 'is missing');
    const bytes = Buffer.concat(rows.map((row) => row.bytes));
    if ((await sha256(bytes)) !== hash) throw new CorruptContentError(hash, 'is corrupted');
    return bytes;
  }

  async open(
    hash: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; stream: ReadableStream<Uint8Array> }> {
    const { rows } = await this.#query<{ size: number }>('SELECT size FROM contents WHERE hash = $1', [
      bytesOf(hash),
    ]);
    const sizeBytes = rows[0]?.size;
    if (sizeBytes === undefined) throw new CorruptContentError(hash, 'is missing');
    return { sizeBytes, stream: this.#streamOf(hash, sizeBytes, { start: 0, end: sizeBytes, ...range }) };
  }

  /** One chunk at a time; the last one of a whole content is delivered only after its hash was verified. */
  #streamOf(hash: string, sizeBytes: number, { start, end }: ByteRange): ReadableStream<Uint8Array> {
    let position = start;
    const whole = start === 0 && end === sizeBytes ? createSha256() : null;
    return new ReadableStream({
      pull: async (controller) => {
        if (position >= end) {
          controller.close();
          return;
        }
        const n = Math.floor(position / chunkBytes);
        const { rows } = await this.#query<{ bytes: Buffer }>(
          'SELECT bytes FROM chunks WHERE hash = $1 AND n = $2',
          [bytesOf(hash), n],
        );
        const chunk = rows[0]?.bytes;
        if (chunk === undefined) throw new CorruptContentError(hash, 'is missing');
        const from = position - n * chunkBytes;
        const bytes = chunk.subarray(from, Math.min(chunk.byteLength, from + end - position));
        position += bytes.byteLength;
        whole?.update(bytes);
        const isCutShort = bytes.byteLength === 0;
        if (isCutShort || (whole !== null && position === end && whole.hex() !== hash))
          throw new CorruptContentError(hash, 'is corrupted');
        controller.enqueue(bytes);
      },
    });
  }

  async #store(
    hash: string,
    sizeBytes: number,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    const key = bytesOf(hash);
    const nowMs = this.#nowMs();
    const { rows } = await this.#query<{ chunks: number }>(
      'SELECT (SELECT count(*) FROM chunks WHERE chunks.hash = contents.hash) AS chunks FROM contents WHERE hash = $1',
      [key],
    );
    await this.#query(
      `INSERT INTO contents (hash, size, staged_at) VALUES ($1, $2, $3)
         ON CONFLICT (hash) DO UPDATE SET staged_at = excluded.staged_at WHERE contents.staged_at < $4`,
      [key, sizeBytes, nowMs, nowMs - markedMs],
    );
    if (rows[0]?.chunks === Math.ceil(sizeBytes / chunkBytes)) return;
    let n = 0;
    let together: Uint8Array[] = [];
    for await (const chunk of chunks) {
      together.push(chunk);
      if (together.length < chunksTogether) continue;
      await this.#insert(key, n, together);
      n += together.length;
      together = [];
    }
    await this.#insert(key, n, together);
  }

  async #insert(key: Buffer, first: number, chunks: readonly Uint8Array[]): Promise<void> {
    if (chunks.length === 0) return;
    await this.#query(
      `INSERT INTO chunks (hash, n, bytes)
         SELECT $1, $2::bigint + position - 1, bytes FROM unnest($3::bytea[]) WITH ORDINALITY AS given (bytes, position)
         ON CONFLICT DO NOTHING`,
      [key, first, chunks.map((chunk) => Buffer.from(chunk))],
    );
  }

  async #query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#pool.query<Row>({ text, values: [...values], types: resultTypes });
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      throw new StoreUnavailableError('the database cannot be reached', { cause: error });
    }
  }
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += chunkBytes)
    yield bytes.subarray(from, from + chunkBytes);
}
