// GET W/fs/tree: files and the directories that they imply, page by page in the byte order of their paths.
import { Tree } from '../../../../contract/files.ts';
import { TreeQueryParameters } from '../../../../contract/parameters.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { treeDepth, treePageEntries } from '../../../base/limits.ts';
import { type App, errorAnswers, jsonAnswer, sendJsonText, workspaceErrors } from '../../../base/routing.ts';
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
        description:
          'Scope: `fs:read` on `path`. Lists what lies below the path, down to `depth` levels, in the byte order of the paths, at most 1,000 entries a page. Entries that the access rules hide are left out. A path that is a file, or where nothing is, answers an empty list; a cursor is a position, any path: the entries after it follow, whether or not something is there.',
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
