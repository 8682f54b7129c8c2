// Every refusal leaves here: one body shape, one place that turns errors into statuses. An answer never shows internals;
// a fault of the agent is logged with the correlation id that the caller gets.
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { ComputeError } from '../../compute/port.ts';
import { ForkForbiddenError, ForkFullError, ForkGoneError } from '../../workspaces/forks.ts';
import { CorruptContentError, StoreUnavailableError } from '../../workspaces/model.ts';
import { ApiError, correlationIdOf, invalidBody, routeNotFound, sendError } from '../base/api-error.ts';
import type { HttpLog } from '../base/dependencies.ts';
import { computeRetryAfterSeconds } from '../base/limits.ts';

/**
 * `outranked` looks whether a refusal that ranks above the given one applies (contract 0.3: a denial by the access rules
 * comes before a missing header or an unreadable body) and answers that one instead.
 */
export function registerErrors(
  app: FastifyInstance,
  log: HttpLog,
  outranked: (request: FastifyRequest, error: ApiError) => Promise<ApiError>,
): void {
  app.setErrorHandler(async (thrown: FastifyError, request, reply) => {
    const error = inWordsOf(request, toApiError(thrown, request, log));
    return sendError(request, reply, error.status < 500 ? await outranked(request, error) : error);
  });
  app.setNotFoundHandler((request, reply) =>
    sendError(request, reply, new ApiError('not_found', routeNotFound)),
  );
}

/** Some routes have a code of their own for a request that cannot be read. */
function inWordsOf(request: FastifyRequest, error: ApiError): ApiError {
  const { badRequestCode } = request.routeOptions.config;
  if (badRequestCode === undefined || error.code !== 'bad_request') return error;
  return new ApiError(badRequestCode, error.message, { fields: error.fields });
}

const storeFaultTexts = {
  damaged:
    'the database is damaged and this part of it cannot be read: run "mooring doctor", and restore a backup with the agent stopped: mooring backup restore DIR',
  full: 'the disk that holds the data directory is full: free some space and try again',
} as const;
/** Until a person has acted it is the same again. */
const storeFaultRetrySeconds = 30;

export function toApiError(thrown: unknown, request: FastifyRequest, log: HttpLog): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof StoreUnavailableError) {
    log.warn({ err: thrown, correlationId: correlationIdOf(request) }, 'the store did not answer');
    return storeUnavailable(thrown);
  }
  if (thrown instanceof ComputeError) return computeFailure(thrown, request, log);
  if (thrown instanceof ForkGoneError) return forkGone(thrown);
  if (thrown instanceof ForkForbiddenError) return new ApiError('forbidden', thrown.message);
  if (thrown instanceof ForkFullError) return new ApiError('payload_too_large', thrown.message);
  const refused = fromFramework(thrown);
  if (refused !== null) return refused;
  log.error(
    {
      err: thrown,
      correlationId: correlationIdOf(request),
      method: request.method,
      route: request.routeOptions.url,
    },
    'a request failed inside the agent',
  );
  if (thrown instanceof CorruptContentError)
    return new ApiError(
      'internal_error',
      'the disk does not hold this content as it was stored any more: write it again, or restore a backup',
    );
  return new ApiError('internal_error', 'internal error');
}

function computeFailure(thrown: ComputeError, request: FastifyRequest, log: HttpLog): ApiError {
  log.warn(
    { err: thrown, correlationId: correlationIdOf(request), route: request.routeOptions.url },
    'a computation had no result',
  );
  const code = thrown.reason === 'busy' ? 'rate_limited' : 'unavailable';
  return new ApiError(code, thrown.message, { retryAfterSeconds: computeRetryAfterSeconds });
}

function storeUnavailable({ fault }: StoreUnavailableError): ApiError {
  if (fault === null)
    return new ApiError('unavailable', 'the store does not answer right now', { retryAfterSeconds: 1 });
  return new ApiError('unavailable', storeFaultTexts[fault], { retryAfterSeconds: storeFaultRetrySeconds });
}

/** Clients of forks look for the code under another name, too (contract 0.2). */
function forkGone({ kind, message }: ForkGoneError): ApiError {
  if (kind === 'missing') return new ApiError('not_found', message);
  return new ApiError('fork_expired', message, { fields: { error: 'fork_expired' } });
}

/** Refusals that the framework makes of a request that it cannot read; null when the error is none. */
function fromFramework(thrown: unknown): ApiError | null {
  if (!(thrown instanceof Error)) return null;
  const { code, statusCode, validation } = thrown as Partial<FastifyError> & Error;
  if (validation !== undefined) {
    return invalidBody(validation[0]);
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError('payload_too_large', 'request body exceeds configured limit');
  }
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new ApiError('not_found', routeNotFound);
  if (code === 'FST_ERR_BAD_URL')
    return new ApiError('bad_request', 'the path is not valid percent-encoded UTF-8');
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return new ApiError('bad_request', 'the request cannot be read');
  }
  // The client went away, or broke off, while its body was read: nobody is left to read this answer.
  if (code === 'ECONNRESET' || code === 'ECONNABORTED')
    return new ApiError('bad_request', 'the request was broken off');
  return null;
}
