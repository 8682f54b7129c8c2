// Answers with a file of the built UI or documentation: cached by its tag, and confined to this origin.
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { StaticFile } from '../../platform/files/static-files.ts';

export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; media-src blob:; frame-src blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Of a route whose handler sends a static file: open, and not a part of the API. */
export const staticRoute = {
  method: ['GET', 'HEAD'],
  config: { access: { kind: 'open' } },
  schema: { hide: true },
} satisfies Pick<RouteOptions, 'method' | 'config' | 'schema'>;

/** For GET and HEAD. A client that takes gzip gets it, which matters on the way from a hub. */
export function sendStaticFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  const isTaken = file.compressible && takesGzip(request.headers['accept-encoding']);
  const gzipped = isTaken ? file.gzipped() : null;
  // Other bytes under the same address have another strong tag (RFC 9110, 8.8.3).
  const etag = gzipped === null ? file.etag : file.etag.replace(/"$/, '-gzip"');
  reply
    .headers(pageHeaders)
    .header('etag', etag)
    .header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (file.compressible) reply.header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (gzipped !== null) reply.header('content-encoding', 'gzip');
  return reply.header('content-type', file.contentType).send(gzipped ?? file.bytes);
}

/** RFC 9110, 12.5.3: `gzip;q=0` refuses it. */
function takesGzip(accepted: string | string[] | undefined): boolean {
  return String(accepted ?? '')
    .split(',')
    .some((coding) => /^\s*(x-)?gzip\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(coding));
}
