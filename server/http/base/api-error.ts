// API errors and their response body. A response never contains internals.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { sendJsonText } from './routing.ts';

/** An expected refusal. `fields` are additional top-level members of some codes (docs/wire-contract.md#errors). */
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

/** For `catch` of a promise: an error of one of the classes becomes an API error with its code and the same message. */
export function refusingAs(
  ...codes: readonly (readonly [kind: abstract new (...args: never[]) => Error, code: ErrorCode])[]
): (error: unknown) => never {
  return (error) => {
    for (const [kind, code] of codes) {
      if (error instanceof kind) throw new ApiError(code, error.message);
    }
    throw error;
  };
}

export const routeNotFound = 'route not found';
export function workspaceNotFound(): ApiError {
  return new ApiError('workspace_not_found', 'workspace not found');
}
/** The correlation id of the request, or "" (docs/wire-contract.md#errors). */
export function correlationIdOf(request: FastifyRequest): string {
  const header = request.headers['x-correlation-id'];
  return typeof header === 'string' ? header : '';
}
export function errorText(error: ApiError, correlationId: string): string {
  return JSON.stringify({ code: error.code, message: error.message, correlationId, ...error.fields });
}
export function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  // The rest of the body is not read.
  if (error.status === 408) reply.header('connection', 'close');
  if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
  return sendJsonText(reply, error.status, errorText(error, correlationIdOf(request)));
}
/** Limits the position in an error message: it contains names from the body. */
const positionCharactersMax = 200;
/** An error of a schema check. */
export interface BodyFault {
  readonly instancePath?: string;
  readonly message?: string;
  readonly params?: { readonly allowedValues?: unknown };
}
/** `fault`: the first error of the schema check. */
export function invalidBody(fault: BodyFault | undefined): ApiError {
  const position = (fault?.instancePath ?? '').slice(1, positionCharactersMax);
  return new ApiError(
    'bad_request',
    `invalid body: ${position === '' ? '' : `${position} `}${faultText(fault)}`,
  );
}
function faultText(fault: BodyFault | undefined): string {
  const allowed = fault?.params?.allowedValues;
  if (Array.isArray(allowed)) return `must be one of: ${allowed.join(', ')}`;
  // The validator's message for a member that the schema does not have.
  if (fault?.message === 'schema is false') return 'is an unknown member';
  return fault?.message ?? 'does not match its schema';
}

/** The caller has closed the connection, so no caller receives the answer. */
export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError';

  constructor() {
    super('the caller closed the connection before its answer');
  }
}
