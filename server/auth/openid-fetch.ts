// Requests to an OpenID provider, bounded in bytes: redirections are not followed, and no answer at all is an error of its own, apart from a refusal.
import type { CustomFetch } from 'openid-client';

export const issuerTimeoutSeconds = 5;
const answerBytesMax = 1024 * 1024;

/** No answer, one of 500 or more, or one that is too large. */
export class IssuerUnavailableError extends Error {
  override readonly name = 'IssuerUnavailableError';
}

export const issuerFetch: CustomFetch = async (url, options) => {
  let answer: Response;
  let body: Uint8Array | null;
  try {
    answer = await fetch(url, options as RequestInit);
    body = await readBounded(answer);
  } catch (cause) {
    throw new IssuerUnavailableError('the provider does not respond', { cause });
  }
  if (body === null) throw new IssuerUnavailableError('the answer of the provider is too large');
  if (answer.status >= 500) throw new IssuerUnavailableError(`the provider answered ${answer.status}`);
  const { status, headers } = answer;
  // As fetch answered it, and with its address, which the library compares.
  const bounded = new Response(body.byteLength === 0 ? null : new Uint8Array(body), { status, headers });
  Object.defineProperty(bounded, 'url', { value: answer.url });
  return bounded;
};

async function readBounded(answer: Response): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > answerBytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
