// W/mirrors/{id}/problems: lists the problems of a mirror by path. Owner or UI token only.

import { MirrorParams, MirrorProblemsQueryParameters } from '../../../../contract/parameters.ts';
import { MirrorProblems } from '../../../../contract/workspaces.ts';
import { isProblemCursor } from '../../../../mirror/manager/port.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { mirrorProblemsLimit } from '../../../base/limits.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { mirrorNotFound } from './mirrors.ts';

export function registerMirrorProblems(app: App, { mirrors }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/mirrors/:mirrorId/problems',
    route('owner-workspace', {
      operationId: 'listMirrorProblems',
      tag: 'Mirrors',
      summary: 'List the problems of a mirror',
      points: [
        'Problems and conflicts in the order of causes and paths.',
        'Lists the first 5,000 of each cause; `problemGroups` of the mirror counts all.',
      ],
      params: MirrorParams,
      query: MirrorProblemsQueryParameters,
      answers: { 200: jsonAnswer(MirrorProblems, 'One page of problems.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const query = queryOf(request);
      const cursor = query.text('cursor') ?? '';
      if (!isProblemCursor(cursor))
        throw new ApiError(
          'bad_request',
          'invalid cursor: use the nextCursor of a page, or start without a cursor',
        );
      const page = await mirrors.problems(workspaceId, mirrorId, {
        kind: query.text('kind') ?? null,
        cursor,
        limit: query.integer('limit', mirrorProblemsLimit),
      });
      if (page === null) throw mirrorNotFound();
      const { count, items, nextCursor } = page;
      return sendJson(reply, MirrorProblems, 200, { mirrorId, count, items: [...items], nextCursor });
    },
  );
}
