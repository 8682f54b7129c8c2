// Sends JSON responses, and describes the responses of a route for the OpenAPI document.
import type { OutgoingHttpHeaders } from 'node:http';
import type { Static, TSchema, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const textCharactersMax = 16_384;
const unchanged = (payload: unknown): string => payload as string;

/** `body` has the type of the schema constant that the route declares for this status. */
export function sendJson<Schema extends TSchema>(
  reply: FastifyReply,
  _schema: Schema,
  status: number,
  body: Static<Schema>,
): FastifyReply {
  return sendJsonText(reply, status, JSON.stringify(body));
}

/** `json` is JSON already. */
export function sendJsonText(reply: FastifyReply, status: number, json: string | Buffer): FastifyReply {
  // With its own serializer a reply does not add a charset to the content type.
  reply.code(status).header('content-type', 'application/json');
  const body = jsonBody(json);
  return typeof body === 'string' ? reply.serializer(unchanged).send(body) : reply.send(body);
}

/** JSON in several parts, sent without a copy: joining the parts of a long page would cost more than the rest of the request. Resolves
 * nothing: the caller returns it, and the framework does not wait for more. */
export function sendJsonParts(
  reply: FastifyReply,
  status: number,
  parts: readonly Uint8Array[],
): FastifyReply {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  reply.header('content-type', 'application/json').header('content-length', String(length));
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(status, reply.getHeaders() as OutgoingHttpHeaders);
  // One write to the socket.
  raw.cork();
  for (const part of parts) raw.write(part);
  raw.end();
  raw.uncork();
  return reply;
}

/** The form in which a text is sent: a long one as bytes, because V8 would keep all parts of a concatenated text until it is sent. A
 * short one is written together with the headers. */
export function jsonBody(json: string | Buffer): string | Buffer {
  return typeof json === 'string' && json.length > textCharactersMax ? Buffer.from(json) : json;
}

// ---- descriptions of responses, for the OpenAPI document

interface AnswerHeaders {
  readonly [name: string]: { readonly type: 'string'; readonly description: string };
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly headers?: AnswerHeaders;
  readonly type?: 'null';
}

/** Markdown: who may call the route, then one point per line. */
export function describeRoute(access: string, ...points: readonly string[]): string {
  return `${access}\n\n${points.map((point) => `- ${point}`).join('\n')}`;
}

/** A schema with an `$id` becomes a reference in the document, also as the item of a list; any other is inlined. */
export function jsonAnswer(schema: object, description: string, headers?: AnswerHeaders): Answer {
  return {
    description,
    content: { 'application/json': { schema: withReferences(schema) } },
    ...(headers === undefined ? {} : { headers }),
  };
}

function withReferences(schema: object): object {
  if ('$id' in schema) return { $ref: `${String(schema.$id)}#` };
  if (!('items' in schema) || typeof schema.items !== 'object' || schema.items === null) return schema;
  return { ...schema, items: withReferences(schema.items) };
}

export function mediaAnswer(mediaTypes: readonly string[], description: string): Answer {
  return {
    description,
    content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string' } }])),
  };
}

export function emptyAnswer(description: string, headers?: AnswerHeaders): Answer {
  return { description, type: 'null', ...(headers === undefined ? {} : { headers }) };
}

/** Errors of every route for one workspace. */
const retryAfter: AnswerHeaders = {
  'retry-after': { type: 'string', description: 'Seconds until a retry can succeed.' },
};

/** One response per status, with its possible codes. */
export function errorAnswers(codes: readonly ErrorCode[]): Record<number, Answer> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, statusCodes]) => [
      status,
      jsonAnswer(
        { $id: 'Error' },
        statusCodes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join(' '),
        status === 429 || status === 503 ? retryAfter : undefined,
      ),
    ]),
  );
}

export const bearer = [{ bearer: [] }];
