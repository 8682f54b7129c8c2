// Access and parameters of the routes that list the descendants of a `path` in the query.

import type { FastifyRequest } from 'fastify';
import { grantsBelow } from '../../auth/scopes.ts';
import { normalizeReadPath } from '../../workspaces/model.ts';
import { ApiError } from '../base/api-error.ts';
import type { Query } from '../base/query.ts';
import { callerOf } from '../plugins/auth.ts';

/** `fs:read` on the path, by default the root. */
export const listingAccess = { kind: 'workspace', scope: 'fs:read', path: 'query-or-root' } as const;

export function listedPath(query: Query): string {
  return normalizeReadPath(query.first('path') ?? '');
}

/** A position in the byte order of paths. Any path is valid, also one that does not exist or is not visible. */
export function cursorPath(query: Query): string | null {
  const cursor = query.text('cursor');
  if (cursor === undefined) return null;
  if (!cursor.startsWith('/') || !cursor.isWellFormed() || cursor.includes('\0')) {
    throw new ApiError(
      'bad_request',
      'invalid input: the cursor is not a path: use the nextCursor of a page',
    );
  }
  return cursor;
}

/** true: the scope covers exactly the listed path, so its descendants are not visible. */
export function listsPathOnly(request: FastifyRequest, path: string): boolean {
  const { token } = callerOf(request);
  return !token.owner && !grantsBelow(token.scopes, 'fs:read', path);
}
