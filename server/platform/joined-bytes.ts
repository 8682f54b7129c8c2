// Joins received pieces of many megabytes without blocking the thread.
import { yieldToEventLoop } from './event-loop.ts';

/** Bytes copied at once. */
const copiedBytes = 4 * 1024 * 1024;

/** `pieces` is empty afterwards: each is released after its copy. `length`: the bytes of all. */
export async function joinedInSlices(pieces: Buffer[], length: number): Promise<Buffer> {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  if (length <= copiedBytes) return Buffer.concat(pieces, length);
  const bytes = Buffer.allocUnsafeSlow(length);
  let end = 0;
  let copied = 0;
  for (const [index, piece] of pieces.entries()) {
    end += piece.copy(bytes, end);
    pieces[index] = released;
    if (end - copied < copiedBytes) continue;
    copied = end;
    await yieldToEventLoop();
  }
  pieces.length = 0;
  return bytes;
}

const released = Buffer.alloc(0);
