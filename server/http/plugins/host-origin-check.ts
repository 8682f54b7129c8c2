// Which pages and names may reach the agent at all (contract rulings 30 and 31). A browser page of another origin, or a
// name that was rebound to this machine, must get nothing: neither answers nor effects.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../base/api-error.ts';

/** The desktop app's UI. */
const appOrigin = 'app://mooring';
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const preflightMaxAgeSeconds = '600';
const preflightMethods = 'GET, POST, PUT, PATCH, DELETE';
const preflightHeaders = 'Authorization, Content-Type, If-Match, If-None-Match, X-Correlation-Id';

/** The two ends of the connection as far as the guard cares. */
interface Connection {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

export interface HostGuard {
  /** null: it may pass. Else why not. */
  refuse(headers: IncomingHttpHeaders, connection: Connection): string | null;
}

export function createHostGuard(allowHosts: readonly string[]): HostGuard {
  const names = new Set([...loopbackNames, ...allowHosts.map((name) => name.toLowerCase())]);

  function allowsName(name: string, { localAddress }: Connection): boolean {
    if (names.has(name)) return true;
    // An address cannot be rebound, and the agent was told to listen on it.
    return (
      localAddress !== undefined && (name === plainAddress(localAddress) || name === `[${localAddress}]`)
    );
  }

  function allowsOrigin(origin: string, connection: Connection): boolean {
    if (origin === appOrigin) return true;
    const match = /^http:\/\/([^/:]+|\[[^\]]+\])(?::(\d+))?$/.exec(origin);
    if (match === null) return false;
    const [, name = '', port = '80'] = match;
    return allowsName(name, connection) && Number(port) === connection.localPort;
  }

  return {
    refuse(headers, connection) {
      const host = headers.host === undefined ? null : nameOf(headers.host);
      if (host === null || !allowsName(host, connection)) return 'this Host is not allowed';
      const { origin } = headers;
      if (origin !== undefined && !allowsOrigin(origin, connection)) return 'this Origin is not allowed';
      return null;
    },
  };
}

/** IPv4 in its own form where the socket shows it mapped into IPv6. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

/** `localhost:4417` -> `localhost`; null when it is no host. */
function nameOf(host: string): string | null {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]@/?#\s]+)(?::\d*)?$/.exec(host);
  return match?.[1]?.toLowerCase().replace(/\.$/, '') ?? null;
}

export function registerHostGuard(app: FastifyInstance, guard: HostGuard): void {
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = guard.refuse(request.headers, request.raw.socket);
    if (refusal !== null) return done(new ApiError('forbidden', refusal));
    if (request.headers.origin !== appOrigin) return done();
    reply
      .header('access-control-allow-origin', appOrigin)
      .header('vary', 'Origin')
      .header('access-control-expose-headers', 'ETag, Retry-After');
    if (request.method !== 'OPTIONS') return done();
    void reply
      .code(204)
      .header('access-control-allow-methods', preflightMethods)
      .header('access-control-allow-headers', preflightHeaders)
      .header('access-control-max-age', preflightMaxAgeSeconds)
      .send();
  });
}
