// Bodies: JSON whatever the content type says (contract 0.4), bounded one by one and all together, and never read before
// the caller is known to be allowed.

import type { Readable } from 'node:stream';
import type { TSchema } from '@fastify/type-provider-typebox';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { isNestedTooDeep, jsonNestingMax } from '../../platform/json-nesting.ts';
import { largeBodiesWaitingMax, largeBodyBytesInFlight, smallBodyBytes } from '../limits.ts';
import { ApiError, invalidBody } from './errors.ts';

/** On a body's schema of a route with `rawBody`: it only describes. */
export const describedBody = { 'x-body-described': true } as const;
/** On a body's schema: the request may come without one. */
export const optionalBody = { 'x-body-optional': true } as const;

type Check = ReturnType<typeof TypeBoxValidatorCompiler>;

const streamedType = 'application/octet-stream';

export function registerBodies(app: FastifyInstance, maxBodyBytes: number): void {
  const budget = new BodyBudget(largeBodyBytesInFlight);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      done(null, request.routeOptions.config.rawBody ? body : parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser(streamedType, (_request, payload, done) => done(null, payload));
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const bytes = announcedBytes(request, maxBodyBytes);
    const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (bytes > 0 && coding !== '' && coding !== 'identity') return done(encodedBody());
    if (isStreamed(request)) return done();
    // Any content type, an unreadable one included, means JSON: without one the parser above gets what there is.
    delete request.raw.headers['content-type'];
    if (bytes <= smallBodyBytes || bytes > maxBodyBytes) return done();
    budget.take(bytes, reply, done);
  });
  app.setValidatorCompiler(validatorCompiler);
  // Schemas describe; what is sent is typed by the compiler and checked by the tests. JSON.stringify is the fastest there is.
  app.setSerializerCompiler(() => JSON.stringify);
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

/** Absent length: as much as may come. */
function announcedBytes(request: FastifyRequest, maxBodyBytes: number): number {
  const length = request.headers['content-length'];
  if (length !== undefined) return Number(length);
  return request.headers['transfer-encoding'] === undefined ? 0 : maxBodyBytes;
}

/** Throws the ApiError for it. undefined for no bytes at all. Bytes that are not UTF-8 are refused: replacing them would change what was meant. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new ApiError('bad_request', 'invalid json body: not UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('bad_request', 'invalid json body');
  }
  if (isNestedTooDeep(value, body.length)) {
    throw new ApiError('bad_request', `invalid json body: nested more than ${jsonNestingMax} deep`);
  }
  return value;
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

/** Announced bytes of large bodies in memory; further ones wait in line before anything of them is read. */
class BodyBudget {
  readonly #max: number;
  readonly #waiting: { bytes: number; reply: FastifyReply; begin: (error?: Error | null) => void }[] = [];
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  take(bytes: number, reply: FastifyReply, begin: (error?: Error | null) => void): void {
    if (this.#waiting.length >= largeBodiesWaitingMax) {
      begin(new ApiError('rate_limited', 'too many large bodies at once', { retryAfterSeconds: 1 }));
      return;
    }
    this.#waiting.push({ bytes, reply, begin });
    this.#next();
  }

  #next(): void {
    for (;;) {
      const first = this.#waiting[0];
      if (first === undefined) return;
      if (!first.reply.raw.destroyed && this.#taken > 0 && this.#taken + first.bytes > this.#max) return;
      this.#waiting.shift();
      // Gone while it waited.
      if (first.reply.raw.destroyed) continue;
      this.#taken += first.bytes;
      first.reply.raw.once('close', () => {
        this.#taken -= first.bytes;
        this.#next();
      });
      first.begin();
    }
  }
}
