// What the routes have in common that list what lies below a `path` of the query: who may ask, with what, and below what.
import { CorrelationHeaders, WorkspaceParams } from '../contract/parameters.ts';
import { normalizeReadPath } from '../workspaces/model.ts';
import type { Query } from './query.ts';
import { bearer } from './routing.ts';

/** `fs:read` on the path that is asked for; without one, on the root. */
export const listingAccess = { kind: 'workspace', scope: 'fs:read', path: 'query-or-root' } as const;

/** Its own are the query's parameters, the answers and the words. */
export const listingSchema = { security: bearer, params: WorkspaceParams, headers: CorrelationHeaders };

export function listedPath(query: Query): string {
  return normalizeReadPath(query.first('path') ?? '');
}
