// W/mirrors/{id}/problems: what a mirror does not sync and why, path by path. Owner or UI token only.

import {
  CorrelationHeaders,
  MirrorParams,
  MirrorProblemsQueryParameters,
} from '../../../../contract/parameters.ts';
import { MirrorProblems } from '../../../../contract/workspaces.ts';
import { isProblemCursor } from '../../../../mirror/manager/port.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { mirrorProblemsLimit } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';

export function registerMirrorProblems(app: App, { mirrors }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/mirrors/:mirrorId/problems',
    {
      config: { access: { kind: 'owner-workspace' } },
      schema: {
        operationId: 'listMirrorProblems',
        tags: ['Mirrors'],
        summary: 'List what a mirror does not sync',
        description:
          'Owner or UI token. Problems and conflicts in the order of causes and paths; of each cause the first 5,000 that were found are listed, `problemGroups` of the mirror counts all.',
        security: bearer,
        params: MirrorParams,
        headers: CorrelationHeaders,
        querystring: MirrorProblemsQueryParameters,
        response: {
          200: jsonAnswer(MirrorProblems, 'A page of them.'),
          ...errorAnswers([...workspaceErrors, 'not_found']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const query = queryOf(request);
      const cursor = query.text('cursor') ?? '';
      if (!isProblemCursor(cursor))
        throw new ApiError('bad_request', 'cursor is not a nextCursor of this list: begin without one');
      const page = await mirrors.problems(workspaceId, mirrorId, {
        kind: query.text('kind') ?? null,
        cursor,
        limit: query.integer('limit', mirrorProblemsLimit),
      });
      if (page === null) throw new ApiError('not_found', 'there is no such mirror');
      const { count, items, nextCursor } = page;
      return sendJson(reply, MirrorProblems, 200, { mirrorId, count, items: [...items], nextCursor });
    },
  );
}
