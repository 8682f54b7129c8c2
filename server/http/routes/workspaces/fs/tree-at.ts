// GET W/fs/history/tree: what lay below a directory at a moment, page by page. What of it still stands there is not asked.
import { grantsBelow } from '../../../../auth/scopes.ts';
import { TreeAt } from '../../../../contract/history.ts';
import { TreeAtQueryParameters } from '../../../../contract/parameters.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { treeDepth, treePageEntries } from '../../../base/limits.ts';
import { type App, errorAnswers, jsonAnswer, sendJsonText, workspaceErrors } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { momentMs, retention } from '../../../wire/history.ts';
import { listedPath, listingAccess, listingSchema } from '../../../wire/listing.ts';
import { treeAtBytes } from '../../../wire/long-lists.ts';
import { wireTime } from '../../../wire/records.ts';

export function registerTreeAt(app: App, { history, config }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/history/tree',
    {
      config: { access: listingAccess },
      schema: {
        operationId: 'listTreeAt',
        tags: ['History'],
        summary: 'List files and directories as they were at a moment',
        description:
          'Scope: `fs:read` on `path`. What lay below the path after the last change that is not later than `at`, at most 1,000 entries a page; a page may be short and still have a `nextCursor`. A file is shown where the access rules of its time allow it and today’s do, too. Each entry names the revision that stood there, which `fs/file` reads. Where retention has let go of states from then, `complete` is false and files may be missing.',
        ...listingSchema,
        querystring: TreeAtQueryParameters,
        response: { 200: jsonAnswer(TreeAt, 'One page of entries.'), ...errorAnswers(workspaceErrors) },
      },
    },
    async (request, reply) => {
      const query = queryOf(request);
      const path = listedPath(query);
      const { token, access } = callerOf(request);
      // What is a file now, which a grant of its path alone opens, may have been a directory.
      if (!token.owner && !grantsBelow(token.scopes, 'fs:read', path))
        throw new ApiError('forbidden', 'missing required scope: fs:read');
      const asked = query.text('at');
      if (asked === undefined) throw new ApiError('bad_request', 'missing at query');
      const atMs = momentMs(asked);
      const page = await history.tree(request.params.workspaceId, {
        path,
        depth: query.integer('depth', treeDepth),
        after: query.text('cursor') ?? null,
        limit: treePageEntries,
        atMs,
        access,
      });
      if (page === null) throw new ApiError('bad_request', 'invalid input: the cursor is not below the path');
      const { completeSince } = await retention({ config, history });
      const complete = completeSince === undefined || atMs >= Date.parse(completeSince);
      return sendJsonText(
        reply,
        200,
        treeAtBytes({ path, at: wireTime(atMs), completeSince }, complete, page),
      );
    },
  );
}
