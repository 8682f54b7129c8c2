// Turns every error into a response of one shape. A response never contains internals; a defect of the agent is logged with the
// correlation id of the request.
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { ComputeError } from '../../compute/port.ts';
import { InvalidGlobError, RunMissingError, RunStateError } from '../../runs/service.ts';
import { ForkForbiddenError, ForkFullError, ForkGoneError } from '../../workspaces/forks.ts';
import { CorruptContentError, PathTooLongError, StoreUnavailableError } from '../../workspaces/model.ts';
import {
  ApiError,
  CallerGoneError,
  correlationIdOf,
  invalidBody,
  routeNotFound,
  sendError,
} from '../base/api-error.ts';
import type { HttpLog } from '../base/dependencies.ts';
import { computeRetryAfterSeconds } from '../base/limits.ts';

/**
 * `precedingRefusal` returns the refusal that precedes the given one, or the given one: a denial by the access rules precedes a
 * missing header or an unreadable body (docs/wire-contract.md#order-of-checks).
 */
export function registerErrors(
  app: FastifyInstance,
  log: HttpLog,
  precedingRefusal: (request: FastifyRequest, error: ApiError) => Promise<ApiError>,
): void {
  app.setErrorHandler(async (thrown: FastifyError, request, reply) => {
    const error = withRouteCode(request, toApiError(thrown, request, log));
    return sendError(request, reply, error.status < 500 ? await precedingRefusal(request, error) : error);
  });
  app.setNotFoundHandler((request, reply) =>
    sendError(request, reply, new ApiError('not_found', routeNotFound)),
  );
}

/** Some routes replace the code `bad_request`. */
function withRouteCode(request: FastifyRequest, error: ApiError): ApiError {
  const { badRequestCode } = request.routeOptions.config;
  if (badRequestCode === undefined || error.code !== 'bad_request') return error;
  return new ApiError(badRequestCode, error.message, { fields: error.fields });
}

const requestAborted = 'the request was aborted';
const storeFaultTexts = {
  corrupted:
    'the database is corrupted, and this part of it cannot be read: run "mooring doctor", then stop the agent and restore a backup with "mooring backup restore DIR"',
  full: 'the disk of the data directory is full: free some space and try again',
} as const;
/** The fault remains until a person resolves it. */
const storeFaultRetrySeconds = 30;

export function toApiError(thrown: unknown, request: FastifyRequest, log: HttpLog): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof StoreUnavailableError) {
    log.warn({ err: thrown, correlationId: correlationIdOf(request) }, 'the store is unavailable');
    return storeUnavailable(thrown);
  }
  if (thrown instanceof ComputeError) return computeFailure(thrown, request, log);
  if (thrown instanceof ForkGoneError) return forkGone(thrown);
  if (thrown instanceof ForkForbiddenError) return new ApiError('forbidden', thrown.message);
  if (thrown instanceof ForkFullError) return new ApiError('payload_too_large', thrown.message);
  if (thrown instanceof RunMissingError) return new ApiError('not_found', thrown.message);
  if (thrown instanceof RunStateError) return new ApiError('invalid_state', thrown.message);
  if (thrown instanceof PathTooLongError) return new ApiError('bad_request', thrown.message);
  if (thrown instanceof InvalidGlobError) return new ApiError('bad_request', thrown.message);
  if (thrown instanceof CallerGoneError) return new ApiError('bad_request', requestAborted);
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
      'stored content is corrupted: write the file again, or restore a backup',
    );
  return new ApiError('internal_error', 'internal error');
}

function computeFailure(thrown: ComputeError, request: FastifyRequest, log: HttpLog): ApiError {
  log.warn(
    { err: thrown, correlationId: correlationIdOf(request), route: request.routeOptions.url },
    'a computation failed',
  );
  const code = thrown.reason === 'busy' ? 'rate_limited' : 'unavailable';
  return new ApiError(code, thrown.message, { retryAfterSeconds: computeRetryAfterSeconds });
}

function storeUnavailable({ fault }: StoreUnavailableError): ApiError {
  if (fault === null)
    return new ApiError('unavailable', 'the store is unavailable at the moment: try again', {
      retryAfterSeconds: 1,
    });
  return new ApiError('unavailable', storeFaultTexts[fault], { retryAfterSeconds: storeFaultRetrySeconds });
}

/** Clients of forks also read the code from the member `error`. */
function forkGone({ kind, message }: ForkGoneError): ApiError {
  if (kind === 'missing') return new ApiError('not_found', message);
  return new ApiError('fork_expired', message, { fields: { error: 'fork_expired' } });
}

/** Refusals of the framework for an unreadable request; null: another error. */
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
  // The client disconnected while its body was read, so it does not receive this response.
  if (code === 'ECONNRESET' || code === 'ECONNABORTED') return new ApiError('bad_request', requestAborted);
  return null;
}
