// GET W/fs/tree and W/fs/history/tree: list files and their directories now and at a point in time, in pages in the byte order of paths.

import { grantsBelow } from '../../../../auth/scopes.ts';
import { Tree } from '../../../../contract/files.ts';
import { TreeAt } from '../../../../contract/history.ts';
import { TreeAtQueryParameters, TreeQueryParameters } from '../../../../contract/parameters.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { treeDepth, treePageEntries } from '../../../base/limits.ts';
import type { ResponseCache } from '../../../base/response-cache.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJsonText } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { forkErrors, isForked, listableFiles } from '../../../request/fork-access.ts';
import { pointInTimeMs, retention } from '../../../wire/history.ts';
import { cursorPath, listedPath, listingAccess } from '../../../wire/listing.ts';
import { treeAtBytes, treeBytes } from '../../../wire/long-lists.ts';
import { wireTime } from '../../../wire/records.ts';

export function registerTree(app: App, dependencies: HttpDependencies, responses: ResponseCache): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/tree',
    route(listingAccess, {
      operationId: 'listTree',
      tag: 'Files',
      summary: 'List files and directories',
      points: [
        'Lists the descendants of `path` down to `depth` levels, in the byte order of the paths.',
        'At most 1,000 entries per page.',
        'Entries hidden by access rules are omitted.',
        'A file, or a path that does not exist, has an empty list.',
        'A cursor is a position: any path is valid, also one that does not exist.',
      ],
      query: TreeQueryParameters,
      answers: { 200: jsonAnswer(Tree, 'One page of entries.') },
      errors: forkErrors,
      config: { forks: true },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const path = listedPath(query);
      const { workspaceId } = request.params;
      const depth = query.integer('depth', treeDepth);
      const afterPath = cursorPath(query);
      // A path contains no NUL.
      const key = isForked(request) ? null : `tree ${depth} ${afterPath ?? ''}\0${path}`;
      const cached = key === null ? null : responses.get(workspaceId, key);
      if (cached !== null) return sendJsonText(reply, 200, cached.body);
      const files = await listableFiles(dependencies, request, workspaceId, path);
      const count = responses.countBefore(workspaceId);
      const limit = treePageEntries;
      const { access } = callerOf(request);
      const page = await files.tree(workspaceId, { path, depth, afterPath, limit, access });
      const body = treeBytes(path, page);
      if (key !== null && page.forEveryone) responses.keep(workspaceId, key, count, { etag: '', body });
      return sendJsonText(reply, 200, body);
    },
  );
}

export function registerTreeAt(
  app: App,
  { history, config }: HttpDependencies,
  responses: ResponseCache,
): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/history/tree',
    route(listingAccess, {
      operationId: 'listTreeAt',
      tag: 'History',
      summary: 'List files and directories at a point in time',
      points: [
        'The descendants of the path after the last change not later than `at`.',
        'At most 1,000 entries per page; a page can be short and still have a `nextCursor`.',
        'A file is visible if the access rules of that time and the current ones allow it.',
        'Each entry has the revision at that time, which `fs/file` can read.',
        '`complete` is false if retention has deleted states of that time; files may then be missing.',
      ],
      query: TreeAtQueryParameters,
      answers: { 200: jsonAnswer(TreeAt, 'One page of entries.') },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const path = listedPath(query);
      const { token, access } = callerOf(request);
      // A scope of exactly this path permits reading a file, but the path may have been a directory at that time.
      if (!token.owner && !grantsBelow(token.scopes, 'fs:read', path))
        throw new ApiError('forbidden', 'missing required scope: fs:read');
      const asked = query.text('at');
      if (asked === undefined) throw new ApiError('bad_request', 'missing at query');
      const atMs = pointInTimeMs(asked);
      const { workspaceId } = request.params;
      const depth = query.integer('depth', treeDepth);
      const after = query.text('cursor') ?? null;
      const count = responses.countBefore(workspaceId);
      const { completeSince } = await retention({ config, history });
      const key = `tree-at ${atMs} ${completeSince ?? ''} ${depth} ${after ?? ''}\0${path}`;
      const cached = responses.get(workspaceId, key);
      if (cached !== null) return sendJsonText(reply, 200, cached.body);
      const limit = treePageEntries;
      const page = await history.tree(workspaceId, { path, depth, after, limit, atMs, access });
      if (page === null)
        throw new ApiError(
          'bad_request',
          'invalid input: the cursor is not below the path: use the nextCursor of a page',
        );
      const complete = completeSince === undefined || atMs >= Date.parse(completeSince);
      const body = treeAtBytes({ path, at: wireTime(atMs), completeSince }, complete, page);
      if (page.forEveryone) responses.keep(workspaceId, key, count, { etag: '', body });
      return sendJsonText(reply, 200, body);
    },
  );
}
