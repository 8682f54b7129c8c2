// Where large contents are: small ones are rows of the database on every engine.
import type { Content } from '../../core/change/change.ts';
import type { ByteRange } from '../port/store.ts';

export interface BlobStore {
  /** Hashes the bytes and, when they are large, stores them durably. */
  stage(bytes: Uint8Array): Promise<Content>;
  /** The same for a stream, which is never in memory whole. ContentTooLargeError: it has more than `bytesMax`. */
  stageStream(
    source: AsyncIterable<Uint8Array>,
    bytesMax: number,
  ): Promise<{ readonly content: Content; readonly isText: boolean }>;
  /** The command that named the staged content has committed or failed. */
  unstage(hash: string): void;
  /** CorruptContentError: the content is missing or changed. */
  read(hash: string): Promise<Buffer>;
  /** The same in pieces; the stream may find out at its end. */
  open(hash: string, range?: ByteRange): Promise<{ sizeBytes: number; stream: ReadableStream<Uint8Array> }>;
}
