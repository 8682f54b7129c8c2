// Signs outbound requests after the Standard Webhooks specification (standardwebhooks.com): HMAC-SHA256 over "id.timestamp.body"
// with a shared secret. Pure.
import { createHmac } from 'node:crypto';

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
  const timestamp = String(Math.floor(message.atMs / 1000));
  const signature = createHmac('sha256', key)
    .update(`${message.id}.${timestamp}.`)
    // Apart: joined it would be held once more.
    .update(message.body)
    .digest('base64');
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
