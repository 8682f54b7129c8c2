// POST /v1/agent/settle: waits until mirrors and remotes are in sync (`mooring sync --wait`).

import { SettleBody, SettleResult } from '../../../contract/agent.ts';
import { workspaceNotFound } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { settleTimeoutDefaultMs } from '../../base/limits.ts';
import { commandRoute } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { whileConnected } from '../../request/while-connected.ts';
import { remoteWire } from '../../wire/remotes.ts';

export function registerSettle(app: App, { mirrors, remotes, workspaces }: HttpDependencies): void {
  app.post(
    '/v1/agent/settle',
    commandRoute('owner', {
      operationId: 'settle',
      tag: 'Agent',
      summary: 'Wait until mirrors and remotes are in sync',
      points: [
        'Starts with a scan.',
        '`settled` is true only if every change made before the call, on either side, is synced. Otherwise the timeout was reached (default: 60 s; maximum: 1 hour) or a mirror or remote is stopped; `mirrors` and `remotes` show which.',
      ],
      optionalBody: SettleBody,
      answers: { 200: jsonAnswer(SettleResult, 'The result of the wait.') },
      errors: ['workspace_not_found'],
    }),
    async (request, reply) => {
      const body: SettleBody | undefined = request.body ?? undefined;
      const workspaceId = body?.workspaceId;
      if (workspaceId !== undefined && (await workspaces.get(workspaceId)) === null)
        throw workspaceNotFound();
      // The wait ends when the caller disconnects.
      const wait = {
        ...(workspaceId === undefined ? {} : { workspaceId }),
        timeoutMs: body?.timeoutMs ?? settleTimeoutDefaultMs,
        signal: whileConnected(reply),
      };
      // What a remote brings reaches the folders after it, and what a folder has reaches the remote after it.
      const first = await mirrors.settle(wait);
      const there = await remotes.settle(wait);
      const last = there.remotes.length === 0 ? first : await mirrors.settle(wait);
      return sendJson(reply, SettleResult, 200, {
        settled: first.settled && there.settled && last.settled,
        mirrors: [...last.mirrors],
        remotes: there.remotes.map(remoteWire),
      });
    },
  );
}
