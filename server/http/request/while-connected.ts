// The time that the caller of a request waits for its answer.
import type { FastifyReply } from 'fastify';
import { CallerGoneError } from '../base/api-error.ts';

/** Aborts with CallerGoneError when the caller closes the connection. */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // The default reason is a DOMException, which Fastify takes for a body, not for an error.
  reply.raw.once('close', () => gone.abort(new CallerGoneError()));
  return gone.signal;
}
