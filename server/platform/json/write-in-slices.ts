// Writes large JSON without blocking the thread: as a text, as bytes in shared memory, or as pieces.
import { LongText, slicesOf } from '../../core/long-text.ts';
import { TimeSlices, yieldToEventLoop } from '../event-loop.ts';
import { pieceSize, stepsPerCheck } from './slice-sizes.ts';

/** JSON text of a parsed value, written in time slices. */
export async function jsonTextInSlices(value: unknown): Promise<string> {
  const parts: string[] = [];
  for await (const part of jsonParts(value)) parts.push(part);
  const text = parts.join('');
  // The caller of a long one has a turn of its own.
  await yieldToEventLoop();
  return text;
}

/** The same as bytes in shared memory. They are never one text, and other threads get them without a copy. */
export async function sharedJsonInSlices(value: unknown): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of jsonPieces(value)) {
    parts.push(part);
    length += part.length;
  }
  const shared = new Uint8Array(new SharedArrayBuffer(length));
  const slices = new TimeSlices();
  let end = 0;
  for (const part of parts) {
    shared.set(part, end);
    end += part.length;
    await slices.next();
  }
  return shared;
}

/** The bytes of the text in pieces, with a return to the event loop between slices. */
export async function* jsonPieces(value: unknown): AsyncGenerator<Buffer, void, undefined> {
  for await (const part of jsonParts(value)) yield Buffer.from(part);
}

async function* jsonParts(value: unknown): AsyncGenerator<string, void, undefined> {
  const slices = new TimeSlices();
  let part = '';
  let steps = 0;
  for (const token of tokensOf(value)) {
    part += token;
    steps += 1;
    if (part.length < pieceSize && steps % stepsPerCheck !== 0) continue;
    yield part;
    part = '';
    await slices.next();
  }
  yield part;
}

function* tokensOf(value: unknown): Generator<string> {
  if (value instanceof LongText) yield* stringTokens(value);
  else if (typeof value === 'string' && value.length > pieceSize) yield* stringTokens(value);
  else if (typeof value !== 'object' || value === null) yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      yield index === 0 ? '[' : ',';
      yield* tokensOf(value[index]);
    }
    yield value.length === 0 ? '[]' : ']';
  } else {
    const members = value as Readonly<Record<string, unknown>>;
    let isFirst = true;
    for (const name of Object.keys(members)) {
      yield `${isFirst ? '{' : ','}${JSON.stringify(name)}:`;
      isFirst = false;
      yield* tokensOf(members[name]);
    }
    yield isFirst ? '{}' : '}';
  }
}

function* stringTokens(text: string | LongText): Generator<string> {
  yield '"';
  for (const slice of slicesOf(text, pieceSize)) yield JSON.stringify(slice).slice(1, -1);
  yield '"';
}
