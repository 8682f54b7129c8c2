// W/sync/refresh: asking providers for what they have.
import { Accepted } from '../../../../contract/common.ts';
import { CorrelationHeaders, WorkspaceParams } from '../../../../contract/parameters.ts';
import { RefreshBody } from '../../../../contract/providers.ts';
import { RefreshesFullError } from '../../../../inbound/refresh/refresh.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax, ingestRetryAfterSeconds } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { optionalBody } from '../../../plugins/bodies.ts';
import { authorityOf } from '../../../request/authority.ts';

export function registerRefresh(app: App, { refresher }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/sync/refresh',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'sync:trigger', path: 'none' } },
      schema: {
        operationId: 'triggerSyncRefresh',
        tags: ['Sync'],
        summary: 'Pull what providers have',
        description:
          'Scope: `sync:trigger`. Without a body: every provider of the workspace. A provider with a `refreshUrl` is pulled, and every difference to the workspace comes in like a webhook, except for files whose local change it has not seen yet. One without can only be asked to be patient: the answer is the same. The refresh survives a restart; one during which the agent ended unexpectedly twice is not resumed, and the provider says so. It changes only files that the token may change, and its deletions count against the token’s quota; while one that the owner asked for is under way, that one serves the request. Those of tokens with other rights follow each other; when 16 wait, the answer is `queue_full`.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: { ...RefreshBody, ...optionalBody },
        response: {
          202: jsonAnswer(Accepted, 'It follows.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large', 'queue_full']),
        },
      },
    },
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
