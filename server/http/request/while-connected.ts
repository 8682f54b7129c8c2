// The time that the caller of a request waits for its answer.
import type { FastifyReply } from 'fastify';

/** Aborts when the caller closes the connection. */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
