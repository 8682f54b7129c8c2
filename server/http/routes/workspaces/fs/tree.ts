// GET W/fs/tree: lists files and their directories, in pages in the byte order of paths.
import { Tree } from '../../../../contract/files.ts';
import { TreeQueryParameters } from '../../../../contract/parameters.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { treeDepth, treePageEntries } from '../../../base/limits.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJsonText } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { forkErrors, listableFiles } from '../../../request/fork-access.ts';
import { cursorPath, listedPath, listingAccess } from '../../../wire/listing.ts';
import { treeBytes } from '../../../wire/long-lists.ts';

export function registerTree(app: App, dependencies: HttpDependencies): void {
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
