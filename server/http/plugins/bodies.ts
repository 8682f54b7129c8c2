// Bodies: JSON whatever the content type says (contract 0.4), bounded one by one and all together, and never read before
// the caller is known to be allowed.

import type { Readable } from 'node:stream';
import type { TSchema } from '@fastify/type-provider-typebox';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
  RouteOptions,
} from 'fastify';
import { JsonScan } from '../../platform/json/json-scan.ts';
import { JsonSyntaxError, parseJsonInSlices } from '../../platform/json/json-slices.ts';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import { ApiError, invalidBody } from '../base/api-error.ts';
import { jsonLimits, wholeParseBytes } from '../base/limits.ts';
import { errorAnswers } from '../base/routing.ts';
import { BodyReader, tooLarge, tooMuch } from './body-reader.ts';
import type { SenderWatch, SenderWatchLimits } from './sender-watch.ts';

/** On a body's schema of a route with `rawBody`: it only describes. */
export const describedBody = { 'x-body-described': true } as const;
/** On a body's schema: the request may come without one. */
export const optionalBody = { 'x-body-optional': true } as const;

type Check = ReturnType<typeof TypeBoxValidatorCompiler>;

const streamedType = 'application/octet-stream';

export function registerBodies(app: FastifyInstance, senders?: SenderWatchLimits): void {
  const reader = new BodyReader(senders);
  app.decorate('senderWatch', { getter: () => reader.watch });
  app.decorateRequest('answering', null);
  app.addHook('onRoute', describeRefusals);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: Readable) =>
    readBody(reader, request, payload),
  );
  app.addContentTypeParser(streamedType, (_request, payload, done) => done(null, payload));
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (hasBody(request) && coding !== '' && coding !== 'identity') return done(encodedBody());
    if (isStreamed(request)) return done();
    // Any content type, an unreadable one included, means JSON: without one the parser above gets what there is.
    delete request.raw.headers['content-type'];
    request.answering = reply.raw;
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body instanceof RefusedBody) done(request.body.error);
    else done();
  });
  app.setValidatorCompiler(validatorCompiler);
  // Schemas describe; what is sent is typed by the compiler and checked by the tests. JSON.stringify is the fastest there is.
  app.setSerializerCompiler(() => JSON.stringify);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Notices senders that are too slow, for routes that read their body themselves. */
    readonly senderWatch: SenderWatch;
  }
  interface FastifyRequest {
    /** What the request is answered with: its body may be held until that is out. */
    answering: FastifyReply['raw'] | null;
  }
}

/** What any route that takes a body may answer. */
function describeRefusals(route: RouteOptions): void {
  const { schema, method } = route;
  if (schema === undefined || [method].flat().every((one) => bodyless.has(one))) return;
  const refusals = errorAnswers(['request_timeout', 'payload_too_large', 'rate_limited']);
  schema.response = { ...refusals, ...(schema.response as object | undefined) };
}

const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A body that is not taken. Its error is thrown later: where the parser throws one the connection is closed, often before the answer. */
class RefusedBody {
  readonly error: ApiError;

  constructor(error: ApiError) {
    this.error = error;
  }
}

async function readBody(reader: BodyReader, request: FastifyRequest, payload: Readable): Promise<unknown> {
  const { bodyLimit, config } = request.routeOptions;
  const isJson = config.rawBody !== true;
  try {
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
    const { bytes, release } = await reader.read(payload, {
      bytesMax: bodyLimit,
      isJson,
      isVerified: request.mooringCaller !== null,
    });
    const { answering } = request;
    if (answering === null || answering.closed) release();
    else answering.once('close', release);
    return isJson ? await jsonOf(bytes) : bytes;
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'request_timeout') return new RefusedBody(error);
    throw error;
  }
}

/** Unpacked, a small body can be any size, and senders on the same machine save nothing by it. As it came it would be a file of bytes that nobody meant. */
function encodedBody(): ApiError {
  return new ApiError('bad_request', 'the body has a Content-Encoding; send it as it is, without one');
}

/** Who gets the stream reads it, bounds it and never holds it whole; nothing else of the body is looked at before. */
function isStreamed(request: FastifyRequest): boolean {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return request.routeOptions.config.streamedBody === true && type === streamedType;
}

/** JSON holds no functions. */
export function isStream(body: unknown): body is Readable {
  return typeof (body as { readonly pipe?: unknown } | null)?.pipe === 'function';
}

function hasBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/** For bytes that nobody has looked at yet. Rejects with the ApiError for it. undefined for no bytes at all. */
export async function parseJson(body: Buffer): Promise<unknown> {
  const scan = new JsonScan(jsonLimits);
  for (let from = 0; from < body.length; from += wholeParseBytes) {
    if (from > 0) await yieldToEventLoop();
    const excess = scan.add(body.subarray(from, from + wholeParseBytes));
    if (excess !== null) throw tooMuch(excess);
  }
  return await jsonOf(body);
}

/** Bytes that are not UTF-8 are refused: replacing them would change what was meant. */
async function jsonOf(body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined;
  if (body.length > wholeParseBytes) {
    return await parseJsonInSlices(body).catch((error: unknown) => {
      throw error instanceof JsonSyntaxError
        ? new ApiError('bad_request', `invalid json body: ${error.message}`)
        : error;
    });
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new ApiError('bad_request', 'invalid json body: not UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('bad_request', 'invalid json body');
  }
}

/** Bodies are checked; parameters are read leniently by the handlers (contract 0.6) and headers by the plugins. */
const validatorCompiler: FastifySchemaCompiler<TSchema> = (route) => {
  if (route.httpPart !== 'body') return () => true;
  if ('x-body-described' in route.schema) return () => true;
  const check = compiledWhenUsed(() => TypeBoxValidatorCompiler(route));
  const optional = 'x-body-optional' in route.schema;
  return (body: unknown) => {
    if (isStream(body)) return true;
    if (body === null || body === undefined) {
      return optional
        ? true
        : { error: new ApiError('bad_request', 'invalid json body: an object is needed') };
    }
    return check(body);
  };
};

/** Most routes are never called: their checks are neither compiled nor kept. */
function compiledWhenUsed(compile: () => Check): Check {
  let check: Check | undefined;
  return (value) => {
    check ??= compile();
    return check(value);
  };
}

/** For handlers of routes with `rawBody`: checks what they parsed as any other body is checked. */
export function bodyChecker<Schema extends TSchema>(schema: Schema, url: string): (body: unknown) => void {
  const check = compiledWhenUsed(() =>
    TypeBoxValidatorCompiler({ schema, method: 'POST', url, httpPart: 'body' }),
  );
  return (body) => {
    const outcome: unknown = check(body);
    if (typeof outcome !== 'object' || outcome === null || !('error' in outcome)) return;
    throw invalidBody((outcome.error as Parameters<typeof invalidBody>[0][])[0]);
  };
}
