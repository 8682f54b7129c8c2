// Signs outbound requests after the Standard Webhooks specification (standardwebhooks.com): HMAC-SHA256 over "id.timestamp.body"
// with a shared secret. Pure.
import { createHmac, type Hmac } from 'node:crypto';
import { TimeSlices } from '../platform/event-loop.ts';

const secretPrefix = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const secretBytesMin = 24;
const secretBytesMax = 64;

/** The key's bytes, or null when the text is no secret of that form. */
export function parseSecret(text: string): Buffer | null {
  if (!text.startsWith(secretPrefix)) return null;
  const encoded = text.slice(secretPrefix.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= secretBytesMin && key.length <= secretBytesMax ? key : null;
}

/** Headers of one message. `id` names what is sent and stays the same over all its attempts; the time is the attempt's. */
export function signedHeaders(
  key: Uint8Array,
  message: { readonly id: string; readonly atMs: number; readonly body: string },
): Readonly<Record<string, string>> {
  // Apart: joined it would be held once more.
  return headersOf(message, begin(key, message).update(message.body));
}

/** The same of a body in pieces, with a return to the event loop between slices. */
export async function signedHeadersInSlices(
  key: Uint8Array,
  message: { readonly id: string; readonly atMs: number; readonly body: readonly Uint8Array[] },
): Promise<Readonly<Record<string, string>>> {
  const begun = begin(key, message);
  const slices = new TimeSlices();
  for (const piece of message.body) {
    begun.update(piece);
    await slices.next();
  }
  return headersOf(message, begun);
}

interface Message {
  readonly id: string;
  readonly atMs: number;
}

function begin(key: Uint8Array, message: Message): Hmac {
  return createHmac('sha256', key).update(`${message.id}.${timestampOf(message)}.`);
}

function headersOf(message: Message, signed: Hmac): Readonly<Record<string, string>> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestampOf(message),
    'webhook-signature': `v1,${signed.digest('base64')}`,
  };
}

function timestampOf({ atMs }: Message): string {
  return String(Math.floor(atMs / 1000));
}
