// Reads the path and the precondition of a request for one file.
import type { FastifyRequest } from 'fastify';
import { normalizeReadPath, type Precondition } from '../../../../workspaces/model.ts';
import { ApiError } from '../../../base/api-error.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { preconditionOf } from '../../../request/file-writes.ts';

export function requiredPath(request: FastifyRequest): string {
  const path = queryOf(request).text('path');
  if (path === undefined) throw new ApiError('bad_request', 'missing path query');
  return normalizeReadPath(path);
}

/** The path is in the query or in the body (docs/wire-contract.md#paths). */
export function writtenPath(request: FastifyRequest, inBody: string | undefined): string {
  const inQuery = queryOf(request).text('path');
  const path = inQuery ?? inBody;
  if (path === undefined || path === '') throw new ApiError('bad_request', 'missing path query');
  if (
    inQuery !== undefined &&
    inBody !== undefined &&
    normalizeReadPath(inQuery) !== normalizeReadPath(inBody)
  ) {
    throw new ApiError('bad_request', 'the path of the query and the path of the body differ: send only one');
  }
  return path;
}

export function requiredPrecondition(request: FastifyRequest): Precondition {
  const precondition = preconditionOf(request.headers['if-match']);
  if (precondition === null) throw new ApiError('precondition_failed', 'missing If-Match header');
  return precondition;
}
