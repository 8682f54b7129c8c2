// POST W/webhooks/ingest: accepts an inbound event. 202 means that it is durable; the feed or the dead letters show its result.
import { parseTimestamp } from '../../../../auth/webhook-hmac.ts';
import { Accepted } from '../../../../contract/common.ts';
import { WebhookBody } from '../../../../contract/sync.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { deliveryIdCharactersMax, providerCharactersMax } from '../../../base/limits.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer } from '../../../base/routing.ts';
import { authorityOf } from '../../../request/authority.ts';
import { receiveAndAnswer } from '../../../request/ingest-errors.ts';

export function registerWebhooks(app: App, { ingest }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/webhooks/ingest',
    route('sync:trigger', {
      operationId: 'ingestWebhook',
      tag: 'Sync',
      summary: 'Send an inbound event',
      points: [
        'Stored durably when it is answered; applied soon after, in the order of arrival.',
        'Acts as the sender: its agent under the current access rules, its path scopes of `sync:trigger` and of files, and its delete quota. Changes beyond these become dead letters (`access_denied`, `delete_quota_exceeded`). Access-rule files are never changed (`access_rules_refused`).',
        '`provider`, `event_type` and `path` are required strings. Any other fault makes a dead letter that can be edited and replayed.',
        'A repeated `delivery_id` returns the id of the first envelope and has no effect. Exception: the first one came from a sender with other rights and was not applied; then it loses the id (a suffix is added) and the new one is accepted.',
        'A full queue: `queue_full` with Retry-After.',
      ],
      config: { longMember: 'content' },
      body: WebhookBody,
      answers: { 202: jsonAnswer(Accepted, 'The event is stored and will be applied.') },
      errors: ['payload_too_large', 'rate_limited', 'queue_full'],
    }),
    (request, reply) => {
      const { provider, delivery_id, timestamp, headers, ...payload } = request.body;
      const named = textField('provider', provider, providerCharactersMax);
      textField('event_type', payload.event_type, Number.POSITIVE_INFINITY);
      textField('path', payload.path, Number.POSITIVE_INFINITY);
      return receiveAndAnswer(ingest, reply, {
        workspaceId: request.params.workspaceId,
        provider: named,
        envelopeId: null,
        deliveryId: isAbsent(delivery_id)
          ? null
          : textField('delivery_id', delivery_id, deliveryIdCharactersMax),
        occurredAtMs: isAbsent(timestamp) ? null : timestampField(timestamp),
        correlationId: correlationIdOf(request),
        headers: isAbsent(headers) ? null : objectField('headers', headers),
        payload,
        signature: null,
        authority: authorityOf(request),
      });
    },
  );
}

function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function invalidField(name: string): ApiError {
  return new ApiError('bad_request', `missing or invalid '${name}' field`);
}

function textField(name: string, value: unknown, charactersMax: number): string {
  if (typeof value !== 'string' || value === '' || value.length > charactersMax || !value.isWellFormed()) {
    throw invalidField(name);
  }
  return value;
}

function timestampField(value: unknown): number {
  const atMs = typeof value === 'string' ? parseTimestamp(value) : null;
  if (atMs === null) throw invalidField('timestamp');
  return atMs;
}

function objectField(name: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidField(name);
  return value as Record<string, unknown>;
}
