// POST W/mirrors/path-states: where many paths stand in the mirrors that show them. Owner or UI token only; nothing changes.

import { CorrelationHeaders, WorkspaceParams } from '../../../../contract/parameters.ts';
import { PathStates, PathStatesBody } from '../../../../contract/path-states.ts';
import { mostSevere } from '../../../../mirror/manager/port.ts';
import { normalizeReadPath } from '../../../../workspaces/model.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { pathStatesBodyBytesMax } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { isoTime } from '../../../wire/json-text.ts';

export function registerPathStates(app: App, { mirrors }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/mirrors/path-states',
    {
      bodyLimit: pathStatesBodyBytesMax,
      config: { access: { kind: 'owner-workspace' } },
      schema: {
        operationId: 'getPathStates',
        tags: ['Mirrors'],
        summary: 'Where paths stand in their mirrors',
        description:
          'Owner or UI token. For up to 1,000 paths at once whether each is in step, on its way, or cannot be carried, in every mirror that shows it. A directory has the worst state of what lies below it. It reads what the mirrors know and looks at no disk; why a single path is as it is, `explain` tells.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: PathStatesBody,
        response: {
          200: jsonAnswer(PathStates, 'A state for each path, also where nothing stands.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { paths } = request.body;
      const seen = await mirrors.pathStates(request.params.workspaceId, paths.map(normalizeReadPath));
      return sendJson(reply, PathStates, 200, {
        states: paths.map((path, index) => {
          const states = seen[index] ?? [];
          return {
            path,
            state: mostSevere(states),
            mirrors: states.map(({ mirrorId, state, why, next, retryAtMs }) => ({
              mirrorId,
              state,
              why,
              next,
              retryAt: retryAtMs === null ? null : isoTime(retryAtMs),
            })),
          };
        }),
      });
    },
  );
}
