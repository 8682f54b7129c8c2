// POST W/mirrors/path-states: the sync state of many paths. Owner or UI token only; read only.

import { PathStates, PathStatesBody } from '../../../../contract/path-states.ts';
import { mostSevere } from '../../../../mirror/manager/port.ts';
import { normalizeReadPath } from '../../../../workspaces/model.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { pathStatesBodyBytesMax } from '../../../base/limits.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { isoTime } from '../../../wire/json-text.ts';

export function registerPathStates(app: App, { mirrors }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/mirrors/path-states',
    commandRoute('owner-workspace', {
      operationId: 'getPathStates',
      tag: 'Mirrors',
      summary: 'Get the sync state of many paths',
      points: [
        'For up to 1,000 paths: up to date, transferring, or not synced, in every mirror of the path.',
        'A directory has the most severe state of its descendants.',
        'Uses the known state and reads no files. `explain` gives the reason for a single path.',
      ],
      body: PathStatesBody,
      answers: { 200: jsonAnswer(PathStates, 'One state per path; a path need not exist.') },
      bodyBytesMax: pathStatesBodyBytesMax,
    }),
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
