// Rejects foreign `Host` and `Origin` headers (docs/wire-contract.md#origins), so that a page of another origin, or a host name that
// was rebound to this machine, gets no response and causes no change.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../base/api-error.ts';

/** The desktop app's UI. */
const appOrigin = 'app://mooring';
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const preflightMaxAgeSeconds = '600';
const preflightMethods = 'GET, POST, PUT, PATCH, DELETE';
const preflightHeaders = 'Authorization, Content-Type, If-Match, If-None-Match, X-Correlation-Id';

/** The local end of the connection. */
interface Connection {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

export interface HostOriginCheck {
  /** null: allowed; otherwise the reason of the refusal. */
  refuse(headers: IncomingHttpHeaders, connection: Connection): string | null;
}

export function createHostOriginCheck(allowHosts: readonly string[]): HostOriginCheck {
  const allowed = allowHosts.map((name) => name.toLowerCase());
  const names = new Set([...loopbackNames, ...allowed]);
  /** The UI behind a proxy that terminates TLS for these names; the port of the proxy is not the one of this process. */
  const proxiedOrigins = new Set(allowed.map((name) => `https://${name}`));

  function allowsName(name: string, { localAddress }: Connection): boolean {
    if (names.has(name)) return true;
    // An IP address cannot be rebound, and the agent listens on it.
    return (
      localAddress !== undefined && (name === plainAddress(localAddress) || name === `[${localAddress}]`)
    );
  }

  function allowsOrigin(origin: string, connection: Connection): boolean {
    if (origin === appOrigin || proxiedOrigins.has(origin)) return true;
    const match = /^http:\/\/([^/:]+|\[[^\]]+\])(?::(\d+))?$/.exec(origin);
    if (match === null) return false;
    const [, name = '', port = '80'] = match;
    return allowsName(name, connection) && Number(port) === connection.localPort;
  }

  return {
    refuse(headers, connection) {
      const host = headers.host === undefined ? null : nameOf(headers.host);
      if (host === null || !allowsName(host, connection))
        return 'Host header not allowed: use localhost, or add the name with --allow-host';
      const { origin } = headers;
      if (origin !== undefined && !allowsOrigin(origin, connection))
        return 'Origin not allowed: only the UI of this agent may send requests from a browser';
      return null;
    },
  };
}

/** The IPv4 address of an IPv4-mapped IPv6 address. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

/** The name in `localhost:4417`; null: not a host. */
function nameOf(host: string): string | null {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]@/?#\s]+)(?::\d*)?$/.exec(host);
  return match?.[1]?.toLowerCase().replace(/\.$/, '') ?? null;
}

export function registerHostOriginCheck(app: FastifyInstance, check: HostOriginCheck): void {
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = check.refuse(request.headers, request.raw.socket);
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
