// Decodes the content of a request, text or base64, to bytes. It rejects content that does not match its encoding exactly.
import type { Content } from '../core/change/change.ts';
import type { Encoding } from '../core/entry.ts';
import { type LongText, longTextCharacters, slicesOf } from '../core/long-text.ts';
import { TimeSlices } from '../platform/event-loop.ts';
import { joinedInSlices } from '../platform/joined-bytes.ts';

export type { LongText };

/** Four characters of base64 are three bytes: no slice but the last one is cut. */
const sliceCharacters = 45 * 1024;

export type DecodedContent =
  | { readonly ok: true; readonly encoding: Encoding; readonly bytes: Buffer }
  | {
      readonly ok: false;
      readonly code: 'invalid_encoding' | 'invalid_content';
      /** A phrase for the error message. */
      readonly message: string;
    };

/** Other content is decoded and stored in slices (`stageLong`), with a return to the event loop between them. */
export function isShortContent(content: string | LongText): content is string {
  return content.length < longTextCharacters;
}

/** `encoding`: absent or empty, `utf-8`, `utf8` or `base64` (line breaks in it are skipped). */
export function decodeContent(content: string, encoding: string | undefined): DecodedContent {
  switch (encoding) {
    case undefined:
    case '':
    case 'utf-8':
    case 'utf8':
      return content.isWellFormed()
        ? { ok: true, encoding: 'utf-8', bytes: Buffer.from(content, 'utf8') }
        : refused('invalid_content', 'content contains an unpaired surrogate');
    case 'base64':
      return decodeBase64(content);
    default:
      return refused('invalid_encoding', 'encoding must be utf-8 or base64');
  }
}

function decodeBase64(content: string): DecodedContent {
  const text = /[\r\n]/.test(content) ? content.replace(/[\r\n]/g, '') : content;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  // Buffer skips characters outside base64, which shows in the length; it would accept the URL alphabet.
  const isBase64 =
    text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding && !/[-_]/.test(text);
  return isBase64 ? { ok: true, encoding: 'base64', bytes } : notBase64;
}

function refused(code: 'invalid_encoding' | 'invalid_content', message: string): Refused {
  return { ok: false, code, message };
}

const notBase64 = refused('invalid_encoding', 'content is not base64');

type Refused = Extract<DecodedContent, { ok: false }>;

/** `stageStream` of the store. It may throw for more bytes than `bytesMax`. */
type StageStream = (
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
) => Promise<{ readonly content: Content }>;

/** The same for long content, which is streamed to the store while it is decoded. */
export async function stageLong(
  stageStream: StageStream,
  text: string | LongText,
  encoding: string | undefined,
  bytesMax = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly ok: true; readonly encoding: Encoding; readonly content: Content } | Refused> {
  const empty = decodeContent('', encoding);
  if (!empty.ok) return empty;
  const slices = empty.encoding === 'base64' ? base64Slices(text) : utf8Slices(text);
  try {
    const { content } = await stageStream(slices, bytesMax);
    return { ok: true, encoding: empty.encoding, content };
  } catch (error) {
    if (error instanceof UndecodableError) return error.refused;
    throw error;
  }
}

/** The same for content that is needed as a whole. */
export async function decodeLong(
  text: string | LongText,
  encoding: string | undefined,
): Promise<DecodedContent> {
  const empty = decodeContent('', encoding);
  if (!empty.ok) return empty;
  const turns = new TimeSlices();
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of empty.encoding === 'base64' ? base64Slices(text) : utf8Slices(text)) {
      pieces.push(piece);
      length += piece.length;
      await turns.next();
    }
  } catch (error) {
    if (error instanceof UndecodableError) return error.refused;
    throw error;
  }
  return { ok: true, encoding: empty.encoding, bytes: await joinedInSlices(pieces, length) };
}

class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
  readonly refused: Refused;

  constructor(refused: Refused) {
    super(refused.message);
    this.refused = refused;
  }
}

function bytesOrThrow(decoded: DecodedContent): Buffer {
  if (decoded.ok) return decoded.bytes;
  throw new UndecodableError(decoded);
}

async function* utf8Slices(text: string | LongText): AsyncGenerator<Buffer> {
  for (const slice of slicesOf(text, sliceCharacters)) yield bytesOrThrow(decodeContent(slice, 'utf-8'));
}

async function* base64Slices(text: string | LongText): AsyncGenerator<Buffer> {
  let rest = '';
  let isPadded = false;
  let read = 0;
  for (const slice of slicesOf(text, sliceCharacters)) {
    read += slice.length;
    const clean = rest + slice.replace(/[\r\n]/g, '');
    const isLast = read === text.length;
    const length = isLast ? clean.length : clean.length - (clean.length % 4);
    rest = clean.slice(length);
    // No character may follow the padding.
    if (isPadded && clean.length > 0) throw new UndecodableError(notBase64);
    isPadded = length > 0 && clean[length - 1] === '=';
    yield bytesOrThrow(decodeBase64(clean.slice(0, length)));
  }
}
