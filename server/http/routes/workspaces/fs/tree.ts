// GET W/fs/tree: lists files and their directories, in pages in the byte order of paths.
import { Tree } from '../../../../contract/files.ts';
import { TreeQueryParameters } from '../../../../contract/parameters.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { treeDepth, treePageEntries } from '../../../base/limits.ts';
import {
  type App,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJsonText,
  workspaceErrors,
} from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { forkErrors, listableFiles } from '../../../request/fork-access.ts';
import { cursorPath, listedPath, listingAccess, listingSchema } from '../../../wire/listing.ts';
import { treeBytes } from '../../../wire/long-lists.ts';

export function registerTree(app: App, dependencies: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/tree',
    {
      config: { access: listingAccess, forks: true },
      schema: {
        operationId: 'listTree',
        tags: ['Files'],
        summary: 'List files and directories',
        description: describeRoute(
          'Scope: `fs:read` on `path`.',
          'Lists the descendants of `path` down to `depth` levels, in the byte order of the paths.',
          'At most 1,000 entries per page.',
          'Entries hidden by access rules are omitted.',
          'A file, or a path that does not exist, has an empty list.',
          'A cursor is a position: any path is valid, also one that does not exist.',
        ),
        ...listingSchema,
        querystring: TreeQueryParameters,
        response: {
          200: jsonAnswer(Tree, 'One page of entries.'),
          ...errorAnswers([...workspaceErrors, ...forkErrors]),
        },
      },
    },
    async (request, reply) => {
      const query = queryOf(request);
      const path = listedPath(query);
      const { workspaceId } = request.params;
      const files = await listableFiles(dependencies, request, workspaceId, path);
      const page = await files.tree(workspaceId, {
        path,
        depth: query.integer('depth', treeDepth),
        afterPath: cursorPath(query),
        limit: treePageEntries,
        access: callerOf(request).access,
      });
      return sendJsonText(reply, 200, treeBytes(path, page));
    },
  );
}
