// MCP over stdio, in both eras of the protocol. Stdout is the protocol and nothing else. It ends when its input ends.
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { mcpSubscriptionsMax } from './limits.ts';
import { noSubscription, refusedSubscription } from './refused-subscription.ts';
import { ResourceUpdates } from './resource-updates.ts';
import { createMooringServer } from './server-factory.ts';
import type { McpSession } from './session.ts';

export interface StdioEndpoint {
  close(): Promise<void>;
}

/** `onError` gets what only a log shows. */
export function serveMcpOnStdio(session: McpSession, onError: (error: Error) => void): StdioEndpoint {
  /** Those of a discarded probe are closed, and refuse what is sent. */
  const servers: McpServer[] = [];
  /** Subscriptions of the older era; the SDK knows those of the newer one. */
  const subscribed = new Set<string>();
  let isLegacy = false;
  const updates = new ResourceUpdates(session, (uri) => {
    if (isLegacy && !subscribed.has(uri)) return;
    for (const { server } of servers) void server.sendResourceUpdated({ uri }).catch(() => undefined);
  });
  const handle = serveStdio(
    ({ era }) => {
      const server = createMooringServer(session, { canSubscribe: true });
      servers.push(server);
      isLegacy = era === 'legacy';
      if (isLegacy) acceptSubscriptions(server, subscribed, updates);
      return server;
    },
    { transport: watchedTransport(updates), maxSubscriptions: mcpSubscriptionsMax, onerror: onError },
  );
  return {
    async close() {
      updates.stop();
      await handle.close();
    },
  };
}

function acceptSubscriptions({ server }: McpServer, subscribed: Set<string>, updates: ResourceUpdates): void {
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (subscribed.size >= mcpSubscriptionsMax && !subscribed.has(uri))
      throw new Error(`at most ${mcpSubscriptionsMax} subscriptions`);
    if (!(await updates.start())) throw new ProtocolError(ProtocolErrorCode.InvalidParams, noSubscription);
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    if (subscribed.size === 0) updates.stop();
    return {};
  });
}

/** Follows the events before a subscription of the newer era is confirmed. */
function watchedTransport(updates: ResourceUpdates): StdioServerTransport {
  const transport = new StdioServerTransport();
  type Receive = NonNullable<StdioServerTransport['onmessage']>;
  let receive: Receive | undefined;
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set: (handler: Receive | undefined) => {
      receive =
        handler === undefined
          ? undefined
          : (...message) => {
              const { method, id } = message[0] as { readonly method?: string; readonly id?: RequestId };
              if (method !== 'subscriptions/listen' || id === undefined) return handler(...message);
              void updates.start().then((follows) => {
                if (follows) return handler(...message);
                void transport.send(refusedSubscription(id)).catch(() => undefined);
              });
            };
    },
  });
  return transport;
}
