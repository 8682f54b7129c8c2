// Small contents on their way to the writer. As a binary string (Latin-1, a character for each byte) one costs half of what an
// array costs to send to another thread, and brings nothing along of the memory that its bytes lay in.
import type { Content } from '../../core/change/change.ts';

type InlineBlob = Extract<Content, { readonly binary: string }>;

/** `bytes` may be used again at once: they are copied. */
export function inlineBlob(hash: string, bytes: Uint8Array): InlineBlob {
  const { buffer, byteOffset, byteLength } = bytes;
  return {
    hash,
    sizeBytes: byteLength,
    binary: Buffer.from(buffer, byteOffset, byteLength).toString('latin1'),
  };
}

export function bytesOfInline(content: InlineBlob): Buffer {
  return Buffer.from(content.binary, 'latin1');
}
