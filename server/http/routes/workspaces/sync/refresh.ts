// W/sync/refresh: pulls the current files of providers.
import { Accepted } from '../../../../contract/common.ts';
import { RefreshBody } from '../../../../contract/providers.ts';
import { RefreshesFullError } from '../../../../inbound/refresh/refresh.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { ingestRetryAfterSeconds } from '../../../base/limits.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { authorityOf } from '../../../request/authority.ts';

export function registerRefresh(app: App, { refresher }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/sync/refresh',
    commandRoute('sync:trigger', {
      operationId: 'triggerSyncRefresh',
      tag: 'Sync',
      summary: 'Pull the current files of providers',
      points: [
        'Without a body: every provider of the workspace.',
        'A provider with a `refreshUrl` is pulled. Each difference to the workspace is applied like an inbound event, except for files with a local change that the provider has not received. For a provider without one, nothing is pulled; the response is the same.',
        'A refresh continues after a restart, except after two crashes during it; the provider then reports an error.',
        'Changes only files that the token may change; deletions count against its delete quota.',
        'A running refresh of the owner also serves this request. Refreshes of tokens with other rights are queued: above 16, `queue_full`.',
      ],
      optionalBody: RefreshBody,
      answers: { 202: jsonAnswer(Accepted, 'The refresh is queued.') },
      errors: ['queue_full'],
    }),
    async (request, reply) => {
      const body: RefreshBody = request.body ?? {};
      const correlationId = correlationIdOf(request);
      const asked = { reason: body.reason ?? null, correlationId, by: authorityOf(request) };
      const { workspaceId } = request.params;
      const id = await refresher
        .request(workspaceId, body.provider || null, asked)
        .catch((error: unknown) => {
          if (!(error instanceof RefreshesFullError)) throw error;
          throw new ApiError('queue_full', error.message, { retryAfterSeconds: ingestRetryAfterSeconds });
        });
      return sendJson(reply, Accepted, 202, { status: 'queued', id, correlationId });
    },
  );
}
