// What the routes have in common that list what lies below a `path` of the query: who may ask, with what, and below what.

import type { FastifyRequest } from 'fastify';
import { grantsBelow } from '../../auth/scopes.ts';
import { CorrelationHeaders, WorkspaceParams } from '../../contract/parameters.ts';
import { normalizeReadPath } from '../../workspaces/model.ts';
import { ApiError } from '../base/api-error.ts';
import type { Query } from '../base/query.ts';
import { bearer } from '../base/routing.ts';
import { callerOf } from '../plugins/auth.ts';

/** `fs:read` on the path that is asked for; without one, on the root. */
export const listingAccess = { kind: 'workspace', scope: 'fs:read', path: 'query-or-root' } as const;

/** Its own are the query's parameters, the answers and the words. */
export const listingSchema = { security: bearer, params: WorkspaceParams, headers: CorrelationHeaders };

export function listedPath(query: Query): string {
  return normalizeReadPath(query.first('path') ?? '');
}

/** A position in the byte order of paths. Any path is one: whether something is there, or is shown to the caller, changes nothing. */
export function cursorPath(query: Query): string | null {
  const cursor = query.text('cursor');
  if (cursor === undefined) return null;
  if (!cursor.startsWith('/') || !cursor.isWellFormed() || cursor.includes('\0')) {
    throw new ApiError(
      'bad_request',
      'invalid input: the cursor is not a path; take the nextCursor of a page',
    );
  }
  return cursor;
}

/** Does the grant of the listed path name that path alone? Then nothing is shown of what is or was below it. */
export function listsPathOnly(request: FastifyRequest, path: string): boolean {
  const { token } = callerOf(request);
  return !token.owner && !grantsBelow(token.scopes, 'fs:read', path);
}
