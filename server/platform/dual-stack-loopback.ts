// Listens on [::1] and passes connections to the server on 127.0.0.1, so that both loopback addresses reach the same agent with the
// same limits.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

export interface DualStackLoopback {
  /** Accepts no further connections; accepted ones belong to the server. */
  close(): void;
}

/** null: this machine has no IPv6 loopback, or the port is taken there. */
export async function openDualStackLoopback(server: Server, port: number): Promise<DualStackLoopback | null> {
  const twin = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', socket);
  });
  twin.listen({ host: '::1', port, ipv6Only: true });
  try {
    await once(twin, 'listening');
  } catch {
    return null;
  }
  return { close: () => twin.close() };
}
