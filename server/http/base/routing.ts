// What route files share: how an answer is sent, and how its statuses are described.
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

/** Longer texts are sent as bytes. */
const piecesCharacters = 16_384;
const asItIs = (payload: unknown): string => payload as string;

/** `body` has the type of `schema`, the constant that the route declares for this status. No charset (docs/wire-contract.md#bodies). */
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
  // With a serializer of its own a reply keeps the content type as it is given.
  reply.code(status).header('content-type', 'application/json');
  if (typeof json !== 'string') return reply.send(json);
  // As bytes at once: the many pieces that a long text is put together from would else live as long as the answer is on its way.
  return json.length > piecesCharacters ? reply.send(Buffer.from(json)) : reply.serializer(asItIs).send(json);
}

// ---- descriptions of answers, for the OpenAPI document

interface AnswerHeaders {
  readonly [name: string]: { readonly type: 'string'; readonly description: string };
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly headers?: AnswerHeaders;
  readonly type?: 'null';
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

/** What any route with a token may answer beside its own. */
export const commonErrors = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'internal_error',
  'unavailable',
] as const;
/** The same on the control plane. */
export const controlErrors = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'internal_error',
  'unavailable',
] as const;
export const workspaceErrors = [...commonErrors, 'workspace_not_found'] as const;

const retryAfter: AnswerHeaders = {
  'retry-after': { type: 'string', description: 'Whole seconds until it is worth trying again.' },
};

/** One answer for each status, with the codes that it may carry. */
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
