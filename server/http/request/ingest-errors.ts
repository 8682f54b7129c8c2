// Accepts an inbound event and answers the request. Used by the public and the internal route.
import type { FastifyReply } from 'fastify';
import { Accepted } from '../../contract/common.ts';
import type { Ingest, Received } from '../../inbound/service.ts';
import { ApiError, workspaceNotFound } from '../base/api-error.ts';
import { ingestRetryAfterSeconds } from '../base/limits.ts';
import { sendJson } from '../base/routing.ts';

/** Rejects with an ApiError when the event is not accepted. */
export async function receiveAndAnswer(
  ingest: Ingest,
  reply: FastifyReply,
  received: Received,
): Promise<FastifyReply> {
  const result = await ingest.receive(received);
  const { kind } = result;
  switch (kind) {
    case 'queued':
      return sendJson(reply, Accepted, 202, {
        status: 'queued',
        id: result.envelopeId,
        correlationId: received.correlationId,
      });
    case 'full':
      throw new ApiError('queue_full', 'the ingest queue is full', {
        retryAfterSeconds: ingestRetryAfterSeconds,
      });
    case 'replayed':
      throw new ApiError('unauthorized', 'internal request replay detected');
    case 'workspace_not_found':
      throw workspaceNotFound();
    default:
      return kind satisfies never;
  }
}
