// W/webhooks: addresses of others that are told of changes. What they are told leaves this machine, so it needs scopes of its own.
import { tokenChainIds } from '../../../../auth/tokens.ts';
import { CorrelationHeaders, WebhookParams, WorkspaceParams } from '../../../../contract/parameters.ts';
import {
  type Webhook,
  WebhookCreateBody,
  WebhookCreated,
  WebhookList,
} from '../../../../contract/webhooks.ts';
import {
  WebhookRefusedError,
  type WebhookRow,
  WebhookTokenRevokedError,
  WebhookUrlRefusedError,
} from '../../../../outbound/webhooks/registry.ts';
import type { EndpointExpiry } from '../../../../outbound/webhooks/webhooks.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  emptyAnswer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { coversEndpoint, coversGlob } from '../../../request/endpoint-grants.ts';
import { wireTime } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/webhooks';

export function registerOutboundWebhooks(app: App, dependencies: HttpDependencies): void {
  registerAdding(app, dependencies);
  registerListWebhooks(app, dependencies);
  registerDeleteWebhook(app, dependencies);
}

function registerAdding(app: App, { webhooks }: HttpDependencies): void {
  app.post(
    url,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'webhooks:write', path: 'none' } },
      schema: {
        operationId: 'registerWebhook',
        tags: ['Webhooks'],
        summary: 'Register an address that is told of changes',
        description:
          'Scope: `webhooks:write` over each glob. Without a path that scope reaches as far as the token’s grants of files do. From now on each `file.*` event of these paths that access rules show to the token is POSTed to the address, signed after the Standard Webhooks specification: `webhook-id` (the delivery, the same over all tries), `webhook-timestamp`, `webhook-signature`. The body is `{type, timestamp, data}` without content; its order is not promised, `data.eventId` tells it. A try that is not answered with 2xx within 15 s is repeated with growing pauses, 16 times over about three hours, then it is a dead letter; 410 is one at once. It ends with the token that registered it, when that expires or is revoked: what waits is then dropped, and the list shows the cause. What the owner registers does not end by itself.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: WebhookCreateBody,
        response: {
          201: jsonAnswer(WebhookCreated, 'It is registered.'),
          ...errorAnswers([...workspaceErrors, 'invalid_webhook_url', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { token, access } = callerOf(request);
      const { body } = request;
      const plainHttp = body.allowPlainHttp ?? false;
      const privateAddresses = body.allowPrivateAddresses ?? false;
      if ((plainHttp || privateAddresses) && !token.owner) {
        throw new ApiError('forbidden', 'only the owner may allow http or private addresses');
      }
      for (const glob of body.pathGlobs) {
        if (!glob.isWellFormed()) throw new ApiError('bad_request', 'a glob is not well-formed');
        if (!coversGlob(request, 'webhooks:write', glob)) {
          throw new ApiError(
            'forbidden',
            'missing required scope: webhooks:write on every path of the globs',
          );
        }
      }
      try {
        const added = await webhooks.add(request.params.workspaceId, {
          url: body.url,
          globs: body.pathGlobs,
          ...(body.secret === undefined ? {} : { secret: body.secret }),
          allowed: { plainHttp, privateAddresses },
          access,
          tokenIds: token.owner ? [] : tokenChainIds(token),
          expiresAtMs: token.owner ? null : token.expiresAtMs,
        });
        return sendJson(reply, WebhookCreated, 201, {
          subscriptionId: added.webhookId,
          ...(added.secret === null ? {} : { secret: added.secret }),
        });
      } catch (error) {
        if (error instanceof WebhookUrlRefusedError) throw new ApiError('invalid_webhook_url', error.message);
        if (error instanceof WebhookTokenRevokedError) throw new ApiError('unauthorized', error.message);
        if (error instanceof WebhookRefusedError) throw new ApiError('bad_request', error.message);
        throw error;
      }
    },
  );
}

function registerListWebhooks(app: App, { webhooks }: HttpDependencies): void {
  app.get(
    url,
    {
      config: { access: { kind: 'workspace', scope: 'webhooks:read', path: 'none' } },
      schema: {
        operationId: 'listWebhooks',
        tags: ['Webhooks'],
        summary: 'List the addresses that are told of changes',
        description:
          'Scope: `webhooks:read`. Those that the token registered, and those all of whose globs that scope covers; without a path it reaches as far as the token’s grants of files do. With how their last calls went, and why one has ended; the newest 100 ended ones are kept. Secrets are never shown.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(WebhookList, 'The webhooks, oldest first.'),
          ...errorAnswers(workspaceErrors),
        },
      },
    },
    async (request, reply) => {
      const rows = await webhooks.list(request.params.workspaceId);
      return sendJson(
        reply,
        WebhookList,
        200,
        rows
          .filter((row) => coversEndpoint(request, 'webhooks:read', row))
          .map((row) => wireWebhook(row, webhooks.endOf(row))),
      );
    },
  );
}

function registerDeleteWebhook(app: App, { webhooks }: HttpDependencies): void {
  app.delete(
    `${url}/:subscriptionId`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'webhooks:write', path: 'none' } },
      schema: {
        operationId: 'deleteWebhook',
        tags: ['Webhooks'],
        summary: 'Remove an address',
        description:
          'Scope: `webhooks:write` over all of its globs, or on the token that registered it. What was on its way to it is dropped, its dead letters too.',
        security: bearer,
        params: WebhookParams,
        headers: CorrelationHeaders,
        response: {
          204: emptyAnswer('It is removed.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, subscriptionId } = request.params;
      const row = await webhooks.get(workspaceId, subscriptionId);
      const isCovered = row !== null && coversEndpoint(request, 'webhooks:write', row);
      if (!isCovered || !(await webhooks.remove(workspaceId, subscriptionId))) {
        throw new ApiError('not_found', 'there is no such webhook');
      }
      return reply.code(204).send();
    },
  );
}

function wireWebhook(row: WebhookRow, end: EndpointExpiry | null): Webhook {
  const time = (timeMs: number | null) => (timeMs === null ? null : wireTime(timeMs));
  return {
    id: row.webhookId,
    url: row.url,
    pathGlobs: [...row.globs],
    status: end === null ? 'active' : 'ended',
    endCause: end?.cause ?? null,
    expiresAt: time(row.expiresAtMs),
    endedAt: time(end?.atMs ?? null),
    createdAt: wireTime(row.createdAtMs),
    updatedAt: wireTime(row.createdAtMs),
    health: {
      lastDeliveryAt: time(row.lastAttemptAtMs),
      lastSuccessAt: time(row.lastSuccessAtMs),
      lastError: row.lastError,
      consecutiveFailures: row.failuresInRow,
    },
  };
}
