// Writes JSON with the content of a large file in pieces, as its bytes are read. As one text it takes the main thread 20 ms for each MiB.
import { TimeSlices } from '../event-loop.ts';

/** Larger contents are written in pieces. */
export const wholeContentBytesMax = 512 * 1024;

/** Bytes that make four characters of base64. */
const base64GroupBytes = 3;
const noBytes = Buffer.alloc(0);
const emptyContent = '"content":""';
/** Of bytes in memory. */
const pieceBytes = 45 * 1024;

/** How a content is written: as base64, or as text, which its bytes are. */
export type ContentEncoding = 'utf-8' | 'base64';

/** The texts of JSON around its first `"content":""`, before which it has texts alone. */
export function aroundContent(json: string): readonly [before: string, after: string] {
  // No text contains it: its quotes are escaped.
  const end = json.indexOf(emptyContent) + emptyContent.length;
  return [json.slice(0, end - '""'.length), json.slice(end)];
}

/**
 * The content as a JSON string, between two texts. The reading of `bytes` begins with the first piece: who ends this after it has ended
 * that, too. An error of `bytes` ends it.
 */
export async function* jsonWithContent(
  [before, after]: readonly [before: string, after: string],
  encoding: ContentEncoding,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  let begin: Buffer = Buffer.from(`${before}"`);
  for await (const piece of encoding === 'base64' ? base64Pieces(bytes) : textPieces(bytes)) {
    yield begin.length === 0 ? piece : Buffer.concat([begin, piece]);
    begin = noBytes;
  }
  yield Buffer.concat([begin, Buffer.from(`"${after}`)]);
}

/** Bytes in memory, with a return to the event loop between slices. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  const slices = new TimeSlices();
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    yield bytes.subarray(from, from + pieceBytes);
    await slices.next();
  }
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
