// Handing an envelope over and saying what became of it: shared by the public and the internal way in.
import type { FastifyReply } from 'fastify';
import { Accepted } from '../../contract/common.ts';
import type { Ingest, Received } from '../../inbound/service.ts';
import { ApiError, workspaceNotFound } from '../base/api-error.ts';
import { ingestRetryAfterSeconds } from '../base/limits.ts';
import { sendJson } from '../base/routing.ts';

/** Rejects with the ApiError that the request is answered with. */
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
