// Sends signed JSON requests to one target, with common headers and limits on the answer.
import type { Clock } from '../platform/clock.ts';
import { packageVersion } from '../platform/version.ts';
import type { AllowedTargets } from './address-guard.ts';
import { type Answer, createCaller, type RequestBody } from './http-client.ts';
import { signedHeaders, signedHeadersInSlices } from './webhook-signature.ts';

export interface SignedClientOptions {
  readonly allowed: AllowedTargets;
  readonly timeoutMs: number;
  /** The secret's bytes. */
  readonly key: Uint8Array;
}

export interface SignedRequest {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
}

export type SignedClient = ReturnType<typeof createSignedClient>;

/** Of an answer to a POST: a few ids, not a document. */
const postAnswerBytesMax = 64 * 1024;

/** No method rejects because of what the target does or fails to do. */
export function createSignedClient(
  { allowed, timeoutMs, key }: SignedClientOptions,
  clock: Pick<Clock, 'delay' | 'nowMs'>,
) {
  const caller = createCaller(allowed, clock);
  const signed = (id: string, body: RequestBody) => {
    const message = { id, atMs: clock.nowMs() };
    return typeof body === 'string'
      ? signedHeaders(key, { ...message, body })
      : signedHeadersInSlices(key, { ...message, body });
  };
  return {
    /** `id` stays the same over all attempts; it is signed with the body. */
    post: async (request: SignedRequest, id: string, signal: AbortSignal): Promise<Answer> =>
      await caller.call({
        ...request,
        headers: { ...request.headers, ...(await signed(id, request.body)) },
        timeoutMs,
        answerBytesMax: postAnswerBytesMax,
        signal,
      }),
    get: async (url: string, id: string, answerBytesMax: number, signal: AbortSignal): Promise<Answer> =>
      await caller.call({
        method: 'GET',
        url,
        headers: { ...jsonHeaders(id), ...(await signed(id, '')) },
        body: null,
        timeoutMs,
        answerBytesMax,
        signal,
      }),
    close: (): void => caller.close(),
  };
}

export function jsonHeaders(id: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `Mooring/${packageVersion}`,
    'idempotency-key': id,
  };
}
