// Small contents for the writer as binary strings (Latin-1, a character per byte): sending one to another thread costs half of what
// an array costs, and does not transfer the memory around its bytes.
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
