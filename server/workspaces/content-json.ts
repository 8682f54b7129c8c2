// Writes JSON with the content of a large file in pieces, as its bytes are read. As one text it takes the main thread 20 ms for each MiB.
import type { FileEntry } from '../core/entry.ts';
import { fileRecord } from './file-record.ts';

/** Larger contents are written in pieces. */
export const wholeContentBytesMax = 512 * 1024;

/** Bytes that make four characters of base64. */
const base64GroupBytes = 3;
const noBytes = Buffer.alloc(0);
const emptyContent = '"content":""';

/** Equal to `JSON.stringify(fileRecord(entry, content))`. An error of `bytes` ends it. */
export async function* fileRecordPieces(
  entry: FileEntry,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  const record = JSON.stringify(fileRecord(entry, ''));
  // The first one: what is before it are texts, whose quotes are escaped.
  const at = record.indexOf(emptyContent) + emptyContent.length - '""'.length;
  yield Buffer.from(record.slice(0, at));
  yield* contentPieces(entry.encoding, bytes);
  yield Buffer.from(record.slice(at + '""'.length));
}

/** The content as a JSON string: base64, or text of valid UTF-8. */
export async function* contentPieces(
  encoding: FileEntry['encoding'],
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.from('"');
  yield* encoding === 'base64' ? base64Pieces(bytes) : textPieces(bytes);
  yield Buffer.from('"');
}

async function* base64Pieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = noBytes;
  for await (const piece of bytes) {
    const known = rest.length === 0 ? bufferOf(piece) : Buffer.concat([rest, piece]);
    const whole = known.length - (known.length % base64GroupBytes);
    if (whole > 0) yield Buffer.from(known.toString('base64', 0, whole), 'latin1');
    rest = known.subarray(whole);
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1');
}

async function* textPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  // A character whose bytes are in two pieces belongs to the second.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const piece of bytes) yield escaped(decoder.decode(piece, { stream: true }));
  yield escaped(decoder.decode());
}

function escaped(text: string): Buffer {
  return Buffer.from(JSON.stringify(text).slice(1, -1));
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
