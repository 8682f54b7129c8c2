// Sends JSON with the content of a large file, which is read as fast as the receiver takes it.
import type { FastifyReply } from 'fastify';
import { chunkStream } from '../../workspaces/chunk-stream.ts';

/** An error of `pieces` breaks the connection. */
export function sendJsonStream(
  reply: FastifyReply,
  status: number,
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
): FastifyReply {
  reply.code(status).header('content-type', 'application/json');
  return reply.send(chunkStream(pieces));
}
