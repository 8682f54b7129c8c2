// W/webhooks/dlq: lists and replays failed webhook deliveries.
import { Accepted } from '../../../../contract/common.ts';
import { WebhookDeadLettersQueryParameters, WebhookDeliveryParams } from '../../../../contract/parameters.ts';
import { WebhookDeadLetterPage } from '../../../../contract/webhooks.ts';
import type { WebhookDeadLetterRow } from '../../../../outbound/webhooks/webhooks.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { deadLettersLimit } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { coversEndpoint } from '../../../request/endpoint-grants.ts';
import { grantedPage } from '../../../request/path-grants.ts';
import { eventId, wireTime } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/webhooks/dlq';

export function registerWebhookDeadLetters(app: App, dependencies: HttpDependencies): void {
  registerListWebhookDeadLetters(app, dependencies);
  registerReplayWebhookDeadLetter(app, dependencies);
}

function registerListWebhookDeadLetters(app: App, { webhooks }: HttpDependencies): void {
  app.get(
    url,
    route('webhooks:read', {
      operationId: 'listWebhookDeadLetters',
      tag: 'Webhooks',
      summary: 'List failed webhook deliveries',
      callers: 'Scope: `webhooks:read`; deliveries of endpoints that the token may not list are omitted.',
      points: [
        'Newest first; the newest 1,000 of each endpoint are retained.',
        'A replayed delivery remains in the list with its new status.',
      ],
      query: WebhookDeadLettersQueryParameters,
      answers: { 200: jsonAnswer(WebhookDeadLetterPage, 'One page of deliveries.') },
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const query = queryOf(request);
      const rows = await webhooks.list(workspaceId);
      const seen = new Set(
        rows.filter((row) => coversEndpoint(request, 'webhooks:read', row)).map(({ webhookId }) => webhookId),
      );
      const page = await grantedPage<WebhookDeadLetterRow>({
        shows: callerOf(request).token.owner
          ? null
          : (items) => Promise.resolve(items.map(({ webhookId }) => seen.has(webhookId))),
        limit: query.integer('limit', deadLettersLimit),
        cursor: query.text('cursor') ?? null,
        read: (before, limit) => webhooks.deadLetters(workspaceId, { before, limit }),
        idOf: (item) => item.deliveryId,
      });
      if (page === null) throw new ApiError('bad_request', 'invalid cursor: use the nextCursor of a page');
      return sendJson(reply, WebhookDeadLetterPage, 200, {
        items: page.items.map((row) => deadLetterWire(workspaceId, row)),
        nextCursor: page.nextCursor,
      });
    },
  );
}

function registerReplayWebhookDeadLetter(app: App, { webhooks }: HttpDependencies): void {
  app.post(
    `${url}/:deliveryId/replay`,
    commandRoute('webhooks:replay', {
      operationId: 'replayWebhookDeadLetter',
      tag: 'Webhooks',
      summary: 'Replay a failed webhook delivery',
      callers: 'Scope: `webhooks:replay` over all globs of the endpoint, or the token that registered it.',
      points: ['Uses the same `webhook-id` and starts with the first attempt.'],
      params: WebhookDeliveryParams,
      answers: { 202: jsonAnswer(Accepted, 'The delivery is pending.') },
      errors: ['not_found', 'invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId, deliveryId } = request.params;
      const replayed = await webhooks.replay(workspaceId, deliveryId, (row) =>
        coversEndpoint(request, 'webhooks:replay', row),
      );
      if (replayed === null) throw new ApiError('not_found', 'dead letter not found');
      if (replayed === 'webhook_ended') {
        throw new ApiError(
          'invalid_state',
          'the token that registered this webhook has expired or was revoked: register the webhook again',
        );
      }
      if (replayed === 'not_dead_lettered') {
        throw new ApiError(
          'invalid_state',
          'the delivery is not dead-lettered: only dead-lettered deliveries can be replayed',
        );
      }
      const correlationId = correlationIdOf(request);
      return sendJson(reply, Accepted, 202, { status: 'queued', id: deliveryId, correlationId });
    },
  );
}

function deadLetterWire(
  workspaceId: string,
  row: WebhookDeadLetterRow,
): WebhookDeadLetterPage['items'][number] {
  return {
    deliveryId: row.deliveryId,
    workspaceId,
    subscriptionId: row.webhookId,
    eventId: eventId(row.eventSeq),
    url: row.url,
    failedAt: wireTime(row.failedAtMs ?? 0),
    attemptCount: row.attempts,
    lastError: row.lastError ?? '',
    replayCount: row.replays,
    status: row.status === 'pending' || row.status === 'running' ? 'queued' : row.status,
  };
}
