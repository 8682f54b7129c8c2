// W/webhooks: manages webhook endpoints. Their events leave this machine, so they have separate scopes.
import { tokenChainIds } from '../../../../auth/tokens.ts';
import { WebhookParams } from '../../../../contract/parameters.ts';
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
import { ApiError, refusingAs } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { coversEndpoint, coversGlob } from '../../../request/endpoint-grants.ts';
import { wireTime } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/webhooks';
const refuse = refusingAs(
  [WebhookUrlRefusedError, 'invalid_webhook_url'],
  [WebhookTokenRevokedError, 'unauthorized'],
  [WebhookRefusedError, 'bad_request'],
);

export function registerOutboundWebhooks(app: App, dependencies: HttpDependencies): void {
  registerAdding(app, dependencies);
  registerListWebhooks(app, dependencies);
  registerDeleteWebhook(app, dependencies);
}

function registerAdding(app: App, { webhooks }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('webhooks:write', {
      operationId: 'registerWebhook',
      tag: 'Webhooks',
      summary: 'Register a webhook endpoint',
      callers:
        'Scope: `webhooks:write` over each glob. Without a path, the scope covers the paths of the token’s file scopes.',
      points: [
        'Each later `file.*` event of these paths that the token may read is POSTed to the URL, signed by the Standard Webhooks specification: `webhook-id` (the delivery, equal in all attempts), `webhook-timestamp`, `webhook-signature`.',
        'The body is `{type, timestamp, data}` without content. The order is not guaranteed; `data.eventId` shows it.',
        'An attempt without a 2xx response within 15 s is repeated with growing delays, 16 attempts over about three hours; then the delivery is a dead letter. 410 makes a dead letter immediately.',
        'The endpoint ends when the token that registered it expires or is revoked: pending deliveries are dropped, and the list shows the cause. An endpoint of the owner does not expire.',
      ],
      body: WebhookCreateBody,
      answers: { 201: jsonAnswer(WebhookCreated, 'The endpoint is registered.') },
      errors: ['invalid_webhook_url'],
    }),
    async (request, reply) => {
      const { token, access } = callerOf(request);
      const { body } = request;
      const plainHttp = body.allowPlainHttp ?? false;
      const privateAddresses = body.allowPrivateAddresses ?? false;
      if ((plainHttp || privateAddresses) && !token.owner) {
        throw new ApiError(
          'forbidden',
          'only the owner may allow http or private addresses: use https and a public address',
        );
      }
      for (const glob of body.pathGlobs) {
        if (!glob.isWellFormed())
          throw new ApiError('bad_request', 'invalid pathGlobs: a glob is not well-formed');
        if (!coversGlob(request, 'webhooks:write', glob)) {
          throw new ApiError(
            'forbidden',
            'missing required scope: webhooks:write on every path of the globs',
          );
        }
      }
      const added = await webhooks
        .add(request.params.workspaceId, {
          url: body.url,
          globs: body.pathGlobs,
          ...(body.secret === undefined ? {} : { secret: body.secret }),
          allowed: { plainHttp, privateAddresses },
          access,
          tokenIds: token.owner ? [] : tokenChainIds(token),
          expiresAtMs: token.owner ? null : token.expiresAtMs,
        })
        .catch(refuse);
      return sendJson(reply, WebhookCreated, 201, {
        subscriptionId: added.webhookId,
        ...(added.secret === null ? {} : { secret: added.secret }),
      });
    },
  );
}

function registerListWebhooks(app: App, { webhooks }: HttpDependencies): void {
  app.get(
    url,
    route('webhooks:read', {
      operationId: 'listWebhooks',
      tag: 'Webhooks',
      summary: 'List webhook endpoints',
      points: [
        'Endpoints that the token registered, and those whose globs its scope all covers. Without a path, the scope covers the paths of the token’s file scopes.',
        'Includes the results of recent calls and the reason of an ended endpoint; the newest 100 ended endpoints are retained.',
        'Secrets are never returned.',
      ],
      answers: { 200: jsonAnswer(WebhookList, 'The endpoints, oldest first.') },
    }),
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
    commandRoute('webhooks:write', {
      operationId: 'deleteWebhook',
      tag: 'Webhooks',
      summary: 'Remove a webhook endpoint',
      callers: 'Scope: `webhooks:write` over all of its globs, or the token that registered it.',
      points: ['Its pending deliveries and dead letters are dropped.'],
      params: WebhookParams,
      answers: { 204: emptyAnswer('The endpoint is removed.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, subscriptionId } = request.params;
      const row = await webhooks.get(workspaceId, subscriptionId);
      const isCovered = row !== null && coversEndpoint(request, 'webhooks:write', row);
      if (!isCovered || !(await webhooks.remove(workspaceId, subscriptionId))) {
        throw new ApiError('not_found', 'webhook not found');
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
