// Sends JSON with the content of a large file, which is read as fast as the receiver takes it.
import type { FastifyReply } from 'fastify';
import { chunkStream } from '../../workspaces/chunk-stream.ts';

/** `opened`: what `pieces` read, to be closed where they have not begun. An error of them breaks the connection. */
export function sendJsonStream(
  reply: FastifyReply,
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  opened?: ReadableStream<Uint8Array>,
): FastifyReply {
  reply.code(200).header('content-type', 'application/json');
  // What is being read is closed by its reader, and refuses this.
  const close = (): void => void opened?.cancel().catch(() => undefined);
  return reply.send(chunkStream(pieces, close));
}
