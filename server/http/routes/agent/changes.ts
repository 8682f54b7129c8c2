// GET /v1/agent/changes: names of the lists of the agent that may have changed, so that a client reads them again within a second.
import { ChangedLists } from '../../../contract/agent.ts';
import { ChangedListsParameters } from '../../../contract/parameters.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { listsWaitMs, listWaitersMax } from '../../base/limits.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { queryOf } from '../../plugins/auth.ts';
import { signedInUser } from '../../request/hub-users.ts';
import { RequestWaits } from '../../request/request-waits.ts';

export function registerChangedLists(app: App, dependencies: HttpDependencies): void {
  const { changedLists, users } = dependencies;
  const waits = new RequestWaits(dependencies, listWaitersMax);
  app.addHook('preClose', async () => waits.endAll());
  app.get(
    '/v1/agent/changes',
    route(
      { kind: 'owner', users: true },
      {
        operationId: 'listChangedLists',
        tag: 'Agent',
        summary: 'List the lists that have changed',
        points: [
          'Names of lists, without content: dead letters, operations, providers, mirrors, conflicts, remotes, runs, tokens and workspaces. Changes of files are in the event feed.',
          '`wait`: the answer comes soon after the first change, at the latest after this time.',
          'A named list may also be unchanged. On a hub, changes by other processes are not named.',
          'A user is named those of the workspaces in which the user has a role.',
        ],
        query: ChangedListsParameters,
        answers: { 200: jsonAnswer(ChangedLists, 'The changed lists, the last one at the end.') },
        errors: ['rate_limited'],
      },
    ),
    async (request, reply) => {
      const query = queryOf(request);
      const cursor = query.text('cursor') ?? null;
      const waitMs = query.integer('wait', listsWaitMs);
      if (waitMs > 0)
        await waits.run(request, reply, waitMs, (signal) => changedLists.untilChanged(cursor, signal));
      const answer = changedLists.since(cursor);
      const user = signedInUser(request);
      const concerns = (workspaceId: string | undefined): boolean =>
        user === null || workspaceId === undefined || users?.directory.roleOf(user, workspaceId) != null;
      const changed = answer.changed.filter(({ workspaceId }) => concerns(workspaceId));
      return sendJson(reply, ChangedLists, 200, { ...answer, changed });
    },
  );
}
