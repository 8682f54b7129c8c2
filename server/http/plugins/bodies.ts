// Reads, parses and validates request bodies: JSON for any content type, limited per body and in total, and only after the caller is
// authorized.

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
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import { JsonScan } from '../../platform/json/json-scan.ts';
import {
  type HolderOfLongText,
  JsonSyntaxError,
  parseJsonWithLongTexts,
} from '../../platform/json/parse-in-slices.ts';
import type { LongMember } from '../base/access.ts';
import { ApiError, invalidBody } from '../base/api-error.ts';
import { jsonLimits, wholeParseBytes } from '../base/limits.ts';
import { errorAnswers } from '../base/routing.ts';
import { BodyReader, tooLarge, tooMuch } from './body-reader.ts';
import type { SenderWatch, SenderWatchLimits } from './sender-watch.ts';

/** Marks the body schema of a route with `rawBody`: it describes the body and does not validate it. */
export const describedBody = { 'x-body-described': true } as const;

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
    if (isStreamed(request) || request.routeOptions.config.unreadBody === true) return done();
    // Every content type, also an invalid one, means JSON: without the header the parser above gets every body.
    delete request.raw.headers['content-type'];
    request.answering = reply.raw;
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body instanceof RefusedBody) done(request.body.error);
    else done();
  });
  // With each route and not once for all: for a route without its own, Fastify copies every named schema, 0.4 MB, twice.
  app.addHook('onRoute', (route) => {
    route.validatorCompiler = validatorCompiler;
    // Response schemas only describe: the compiler types the responses and the tests validate them. JSON.stringify is the fastest writer.
    route.serializerCompiler = () => JSON.stringify;
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Detects slow senders, for routes that read their body themselves. */
    readonly senderWatch: SenderWatch;
  }
  interface FastifyRequest {
    /** The response; the memory of the body is released when it is sent. */
    answering: FastifyReply['raw'] | null;
  }
}

/** Adds the errors of every route with a body. */
function describeRefusals(route: RouteOptions): void {
  const { schema, method } = route;
  if (schema === undefined || [method].flat().every((name) => bodyless.has(name))) return;
  const refusals = errorAnswers(['request_timeout', 'payload_too_large', 'rate_limited']);
  schema.response = { ...refusals, ...(schema.response as object | undefined) };
}

const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A refused body. Its error is thrown later: an error inside the parser closes the connection, often before the response is sent. */
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
    return isJson ? await jsonOf(bytes, config.longMember ?? null) : bytes;
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'request_timeout') return new RefusedBody(error);
    throw error;
  }
}

/** A small compressed body can have any size when unpacked, and local senders gain nothing from compression. */
function encodedBody(): ApiError {
  return new ApiError(
    'bad_request',
    'the body has a Content-Encoding: send it uncompressed, without that header',
  );
}

/** The handler reads and limits the stream and never has it in memory as a whole. */
function isStreamed(request: FastifyRequest): boolean {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return request.routeOptions.config.streamedBody === true && type === streamedType;
}

/** A parsed JSON body never has a function. */
export function isStream(body: unknown): body is Readable {
  return typeof (body as { readonly pipe?: unknown } | null)?.pipe === 'function';
}

function hasBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/** Parses the raw bytes of a body, as a route with this `longMember` gets it. Resolves with undefined for an empty body; rejects with an ApiError. */
export async function parseJson(body: Buffer, longMember: LongMember | null): Promise<unknown> {
  const scan = new JsonScan(jsonLimits);
  for (let from = 0; from < body.length; from += wholeParseBytes) {
    if (from > 0) await yieldToEventLoop();
    const excess = scan.add(body.subarray(from, from + wholeParseBytes));
    if (excess !== null) throw tooMuch(excess);
  }
  return await jsonOf(body, longMember);
}

/** Rejects bytes that are not UTF-8: replacement characters would change the content. */
async function jsonOf(body: Buffer, longMember: LongMember | null): Promise<unknown> {
  if (body.length === 0) return undefined;
  if (body.length > wholeParseBytes) {
    const { value, holders } = await parseJsonWithLongTexts(body, longMember).catch((error: unknown) => {
      throw error instanceof JsonSyntaxError
        ? new ApiError('bad_request', `invalid json body: ${error.message}`)
        : error;
    });
    if (longMember !== null && holders.length > 0)
      bodiesWithLongTexts.set(value as object, { longMember, holders });
    return value;
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

interface LongTexts {
  readonly longMember: LongMember;
  readonly holders: readonly HolderOfLongText[];
}

const bodiesWithLongTexts = new WeakMap<object, LongTexts>();

/** A schema knows only texts: for its check each LongText is an empty one. */
function checkedAsTexts(body: object, check: Check): ReturnType<Check> {
  const long = bodiesWithLongTexts.get(body);
  if (long === undefined) return check(body);
  const { longMember, holders } = long;
  const texts = holders.map((holder) => holder[longMember]);
  for (const holder of holders) holder[longMember] = '';
  const outcome = check(body);
  for (const [index, holder] of holders.entries()) holder[longMember] = texts[index];
  return outcome;
}

/** Validates bodies only: handlers read parameters leniently (docs/wire-contract.md#identifiers-and-numbers), plugins read headers. */
const validatorCompiler: FastifySchemaCompiler<TSchema> = (route) => {
  if (route.httpPart !== 'body') return () => true;
  if ('x-body-described' in route.schema) return () => true;
  const check = compiledOnUse(() => TypeBoxValidatorCompiler(route));
  const optional = 'x-body-optional' in route.schema;
  return (body: unknown) => {
    if (isStream(body)) return true;
    if (body === null || body === undefined) {
      return optional
        ? true
        : { error: new ApiError('bad_request', 'invalid json body: an object is required') };
    }
    return checkedAsTexts(body, check);
  };
};

/** Compiles a schema at its first use: most routes are never called. */
function compiledOnUse(compile: () => Check): Check {
  let check: Check | undefined;
  return (value) => {
    check ??= compile();
    return check(value);
  };
}

/** For handlers of routes with `rawBody`: validates the parsed body like any other one. */
export function bodyChecker<Schema extends TSchema>(schema: Schema, url: string): (body: unknown) => void {
  const check = compiledOnUse(() =>
    TypeBoxValidatorCompiler({ schema, method: 'POST', url, httpPart: 'body' }),
  );
  return (body) => {
    const outcome: unknown = check(body);
    if (typeof outcome !== 'object' || outcome === null || !('error' in outcome)) return;
    throw invalidBody((outcome.error as Parameters<typeof invalidBody>[0][])[0]);
  };
}
