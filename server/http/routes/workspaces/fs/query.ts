// GET W/fs/query: finds files by metadata.
import { type QueryItem, QueryResult } from '../../../../contract/files.ts';
import { QueryQueryParameters } from '../../../../contract/parameters.ts';
import type { FileEntry, FileFilter } from '../../../../workspaces/model.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { queryLimit, queryPropertiesMax } from '../../../base/limits.ts';
import type { Query } from '../../../base/query.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { forkErrors, listableFiles } from '../../../request/fork-access.ts';
import { cursorPath, listedPath, listingAccess } from '../../../wire/listing.ts';
import { revisionName, wireSize, wireTime } from '../../../wire/records.ts';

const propertyPrefix = 'property.';

export function registerQuery(app: App, dependencies: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/query',
    route(listingAccess, {
      operationId: 'queryFiles',
      tag: 'Files',
      summary: 'Find files by metadata',
      points: [
        'All given filters must match by equality: provider, relation, permission, comment, and any number of `property.<key>=<value>`.',
        '`permission` matches the effective permissions of the file, including those of its parent directories.',
        'Files hidden by access rules are omitted.',
        'Sorted by path. The cursor is the last path, a position that need not exist.',
      ],
      query: QueryQueryParameters,
      answers: { 200: jsonAnswer(QueryResult, 'One page of files.') },
      errors: forkErrors,
      config: { forks: true },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const { workspaceId } = request.params;
      const filter = filterOf(query);
      const files = await listableFiles(dependencies, request, workspaceId, filter.path);
      const found = await files.query(workspaceId, filter, {
        afterPath: cursorPath(query),
        limit: query.integer('limit', queryLimit),
        access: callerOf(request).access,
      });
      const items = found.items.map(({ entry, effectivePermissions }) =>
        queryItem(entry, effectivePermissions),
      );
      return sendJson(reply, QueryResult, 200, {
        items,
        nextCursor: found.more ? (items.at(-1)?.path ?? null) : null,
      });
    },
  );
}

function filterOf(query: Query): FileFilter {
  const properties = query.entries
    .filter(([name]) => name.startsWith(propertyPrefix) && name.length > propertyPrefix.length)
    .map(([name, value]) => [name.slice(propertyPrefix.length), value] as const);
  if (properties.length > queryPropertiesMax) {
    throw new ApiError('bad_request', `more than ${queryPropertiesMax} property filters: use fewer`);
  }
  const provider = query.text('provider');
  const relation = query.text('relation');
  const permission = query.text('permission');
  const comment = query.text('comment');
  return {
    path: listedPath(query),
    ...(provider === undefined ? {} : { provider: provider.toLowerCase() }),
    ...(relation === undefined ? {} : { relation }),
    ...(permission === undefined ? {} : { permission }),
    ...(comment === undefined ? {} : { comment }),
    properties: Object.fromEntries(properties),
  };
}

function queryItem(entry: FileEntry, effectivePermissions: readonly string[]): QueryItem {
  const { properties, relations, comments } = entry.semantics;
  return {
    path: entry.path,
    revision: revisionName(entry),
    contentType: entry.contentType,
    provider: entry.provider,
    ...(entry.providerObjectId === null ? {} : { providerObjectId: entry.providerObjectId }),
    lastEditedAt: wireTime(entry.editedAtMs),
    size: wireSize(entry),
    ...(properties === undefined ? {} : { properties }),
    ...(relations === undefined ? {} : { relations }),
    ...(effectivePermissions.length === 0 ? {} : { permissions: [...effectivePermissions] }),
    ...(comments === undefined ? {} : { comments }),
  };
}
