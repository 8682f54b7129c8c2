// Filters lists whose rows have paths, for tokens with path scopes: rows outside the scopes are omitted. A row without a path is visible
// only to a token whose scope covers every path.
import type { FastifyRequest } from 'fastify';
import { grantsBelow, grantsScope, type RequiredScope } from '../../auth/scopes.ts';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import { normalizeReadPath } from '../../workspaces/model.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import { grantedChunkRows, grantedRowsScannedMax } from '../base/limits.ts';
import { callerOf } from '../plugins/auth.ts';
import { authorityOf } from './authority.ts';

/** null: every path. */
export type PathGrant = ((path: string) => boolean) | null;

export function pathGrant(request: FastifyRequest, scope: RequiredScope): PathGrant {
  const { token } = callerOf(request);
  if (token.owner || grantsBelow(token.scopes, scope, '/')) return null;
  return (path) => grantsScope(token.scopes, scope, path);
}

export function coversPath(grant: PathGrant, path: string | null): boolean {
  return grant === null || (path !== null && grant(path));
}

/** Counts of a provider are visible to scopes that cover its whole directory. */
export function coversProvider(request: FastifyRequest, scope: RequiredScope, provider: string): boolean {
  const { token } = callerOf(request);
  return token.owner || grantsBelow(token.scopes, scope, `/${provider}`);
}

interface GrantedList<Row> {
  /** Of each row whether it is shown; null: every one is. */
  readonly shows: ((rows: readonly Row[]) => Promise<readonly boolean[]>) | null;
  readonly limit: number;
  readonly cursor: string | null;
  /** null: invalid cursor. */
  readonly read: (
    cursor: string | null,
    limit: number,
  ) => Promise<{ readonly items: readonly Row[]; readonly more: boolean } | null>;
  readonly idOf: (row: Row) => string;
}

export interface GrantedPage<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** Decides by path scopes, also of files, and the current access rules. A row without a path counts as the root. */
export function shownRows<Row extends { readonly path: string | null }>(
  request: FastifyRequest,
  scope: RequiredScope,
  { permitted }: Pick<WorkspaceService, 'permitted'>,
  workspaceId: string,
): GrantedList<Row>['shows'] {
  const by = authorityOf(request, scope);
  if (by === null) return null;
  return (rows) =>
    permitted(
      workspaceId,
      rows.map(({ path }) => normalizeReadPath(path ?? '/')),
      by,
    );
}

/** One page of the visible rows. It can be short and still have a cursor, because the number of examined rows is limited. */
export async function grantedPage<Row>(list: GrantedList<Row>): Promise<GrantedPage<Row> | null> {
  const { shows, limit, read, idOf } = list;
  const items: Row[] = [];
  let { cursor } = list;
  for (let scanned = 0; scanned < grantedRowsScannedMax; scanned += grantedChunkRows) {
    const page = await read(cursor, shows === null ? limit : grantedChunkRows);
    if (page === null) return null;
    const shown = shows === null ? null : await shows(page.items);
    for (const [index, row] of page.items.entries()) {
      if (items.length === limit) return { items, nextCursor: cursor };
      cursor = idOf(row);
      if (shown === null || shown[index] === true) items.push(row);
    }
    if (!page.more) return { items, nextCursor: null };
    if (items.length === limit) break;
    await yieldToEventLoop();
  }
  return { items, nextCursor: cursor };
}
