// The answer to a subscription of a token that may list no directory: it would report nothing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type JSONRPCErrorResponse, ProtocolErrorCode, type RequestId } from '@modelcontextprotocol/server';
import { mcpBodyBytesMax } from './limits.ts';

/** Such a grant is `/docs/*` or `/docs/a*`. */
export const noSubscription =
  'This token may list no directory, so a subscription would report nothing. Call wait_for_changes with an exact path that the token may read, or use a token for a whole directory, such as /docs/**.';

export function refusedSubscription(id: RequestId): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidParams, message: noSubscription } };
}

/** Answers a request whose body was not read yet. */
export async function refuseSubscription(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = requestIdIn(await bodyOf(request));
  if (id === null) {
    response.writeHead(400).end();
    return;
  }
  const body = JSON.stringify(refusedSubscription(id));
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mcpBodyBytesMax) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** null: the body is no request. */
function requestIdIn(body: string): RequestId | null {
  try {
    const { id } = (JSON.parse(body) ?? {}) as { readonly id?: unknown };
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}
