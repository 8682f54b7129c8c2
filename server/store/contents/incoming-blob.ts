// Receives a content as a stream: hashes the bytes, in memory while they are few, then in a temporary file. It never has more than
// one chunk of a large content in memory.
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { createSha256 } from '../../platform/crypto/hashes.ts';
import { ContentTooLargeError } from '../port/errors.ts';

export interface ReceivedBytes {
  readonly hash: string;
  readonly sizeBytes: number;
  /** Valid UTF-8 without NUL. */
  readonly isText: boolean;
  /** null: they are durable in the temporary file. */
  readonly bytes: Uint8Array | null;
}

export class IncomingBlob {
  readonly #file: string;
  readonly #inlineBytesMax: number;
  readonly #hash = createSha256();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #isText = true;
  #sizeBytes = 0;
  #held: Uint8Array[] = [];
  #handle: FileHandle | null = null;

  /** `file` must not exist; it is created when more than `inlineBytesMax` have arrived. */
  constructor(file: string, inlineBytesMax: number) {
    this.#file = file;
    this.#inlineBytesMax = inlineBytesMax;
  }

  /** Reads the whole stream. When this rejects, the temporary file is deleted. */
  async receive(source: AsyncIterable<Uint8Array>, bytesMax: number): Promise<ReceivedBytes> {
    try {
      for await (const chunk of source) {
        if (this.#sizeBytes + chunk.byteLength > bytesMax)
          throw new ContentTooLargeError(`the content has more than ${bytesMax} bytes`);
        await this.#add(chunk);
      }
      this.#look(new Uint8Array(0), true);
      await this.#handle?.sync();
    } catch (error) {
      await this.#handle?.close();
      if (this.#handle !== null) await unlink(this.#file);
      throw error;
    }
    await this.#handle?.close();
    return {
      hash: this.#hash.hex(),
      sizeBytes: this.#sizeBytes,
      isText: this.#isText,
      bytes: this.#handle === null ? Buffer.concat(this.#held) : null,
    };
  }

  async #add(chunk: Uint8Array): Promise<void> {
    this.#sizeBytes += chunk.byteLength;
    this.#hash.update(chunk);
    this.#look(chunk, false);
    if (this.#handle === null && this.#sizeBytes <= this.#inlineBytesMax) {
      this.#held.push(chunk);
      return;
    }
    if (this.#handle === null) {
      this.#handle = await open(this.#file, 'wx', 0o600);
      for (const held of this.#held.splice(0)) await this.#handle.writeFile(held);
    }
    // Continues at the end of the previous write, and writes all of the chunk.
    await this.#handle.writeFile(chunk);
  }

  #look(chunk: Uint8Array, last: boolean): void {
    if (!this.#isText) return;
    try {
      this.#decoder.decode(chunk, { stream: !last });
      this.#isText = !chunk.includes(0);
    } catch {
      this.#isText = false;
    }
  }
}
