// A refusal and its answer: one body shape. An answer never shows internals.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { sendJsonText } from './routing.ts';

/** An expected refusal. `fields` are the further top-level fields that some codes carry. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    more: { readonly fields?: Readonly<Record<string, unknown>>; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.fields = more.fields ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

export const routeNotFound = 'route not found';
export function workspaceNotFound(): ApiError {
  return new ApiError('workspace_not_found', 'no workspace has this id');
}
/** The caller's id, or "" (contract 0.2). */
export function correlationIdOf(request: FastifyRequest): string {
  const header = request.headers['x-correlation-id'];
  return typeof header === 'string' ? header : '';
}
export function errorText(error: ApiError, correlationId: string): string {
  return JSON.stringify({ code: error.code, message: error.message, correlationId, ...error.fields });
}
export function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  // Nothing more is waited for.
  if (error.status === 408) reply.header('connection', 'close');
  if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
  return sendJsonText(reply, error.status, errorText(error, correlationIdOf(request)));
}
/** Of where in a body something is wrong: names in it are the sender's. */
const whereCharactersMax = 200;
/** As the check of a schema tells it. */
export interface BodyFault {
  readonly instancePath?: string;
  readonly message?: string;
  readonly params?: { readonly allowedValues?: unknown };
}
/** `fault`: the first that the check of a body found. */
export function invalidBody(fault: BodyFault | undefined): ApiError {
  const where = (fault?.instancePath ?? '').slice(1, whereCharactersMax);
  return new ApiError('bad_request', `invalid body: ${where === '' ? '' : `${where} `}${wordsOf(fault)}`);
}
function wordsOf(fault: BodyFault | undefined): string {
  const allowed = fault?.params?.allowedValues;
  if (Array.isArray(allowed)) return `must be one of: ${allowed.join(', ')}`;
  // What is said of a member that the schema does not name.
  if (fault?.message === 'schema is false') return 'is not known here';
  return fault?.message ?? 'not as described';
}
