// POST /v1/internal/webhook-envelopes: inbound events of trusted services, signed with a shared secret.
import { Type } from '@fastify/type-provider-typebox';
import { parseTimestamp } from '../../../auth/webhook-hmac.ts';
import { Accepted } from '../../../contract/common.ts';
import { InternalEnvelopeBody } from '../../../contract/sync.ts';
import { ApiError, correlationIdOf } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer } from '../../base/routing.ts';
import { requireCorrelationId, signedHeadersOf } from '../../plugins/auth.ts';
import { bodyChecker, describedBody, parseJson } from '../../plugins/bodies.ts';
import { receiveAndAnswer } from '../../request/ingest-errors.ts';

const url = '/v1/internal/webhook-envelopes';

const Headers = Type.Object({
  'x-relay-timestamp': Type.String({ description: 'RFC 3339, at most 5 minutes from the agent’s clock.' }),
  'x-relay-signature': Type.String({
    description: 'Lower-case hex of HMAC-SHA256 over timestamp, line feed and the raw body.',
  }),
  'x-correlation-id': Type.String({ description: 'Free text of the caller, 1 to 1,024 characters.' }),
});

export function registerInternalEnvelopes(app: App, { ingest, hmac, clock }: HttpDependencies): void {
  const check = bodyChecker(InternalEnvelopeBody, url);
  app.post(
    url,
    route(
      { kind: 'signed' },
      {
        operationId: 'ingestEnvelope',
        tag: 'Sync',
        summary: 'Send an inbound event of a trusted service',
        callers: 'Needs no token: the request is signed (HMAC-SHA256 over timestamp and body).',
        points: [
          'Disabled while no secret is configured.',
          'A signature is accepted once.',
          'Stored durably when it is answered, and applied as the provider. Access-rule files are never changed (`access_rules_refused`).',
          'A repeated envelope or delivery id returns the id of the first envelope, unless that delivery came from a token and was not applied.',
        ],
        config: { rawBody: true },
        headers: Headers,
        body: { ...InternalEnvelopeBody, ...describedBody },
        answers: { 202: jsonAnswer(Accepted, 'The event is stored and will be applied.') },
        errors: ['workspace_not_found', 'payload_too_large', 'rate_limited', 'queue_full'],
      },
    ),
    async (request, reply) => {
      const raw = request.body as unknown;
      const bytes = Buffer.isBuffer(raw) ? raw : Buffer.alloc(0);
      const verified = await hmac.verify({ ...signedHeadersOf(request), body: bytes }, clock.nowMs());
      if (!verified.ok) throw new ApiError('unauthorized', verified.message);
      requireCorrelationId(request);
      const parsed = await parseJson(bytes, 'content');
      check(parsed);
      const body = parsed as InternalEnvelopeBody;
      const occurredAtMs = body.receivedAt ? parseTimestamp(body.receivedAt) : null;
      if (body.receivedAt && occurredAtMs === null) {
        throw new ApiError('bad_request', "missing or invalid 'receivedAt' field");
      }
      return await receiveAndAnswer(ingest, reply, {
        workspaceId: body.workspaceId,
        provider: body.provider,
        envelopeId: body.envelopeId || null,
        deliveryId: body.deliveryId || null,
        occurredAtMs,
        correlationId: body.correlationId || correlationIdOf(request),
        headers: body.headers ?? null,
        payload: body.payload,
        signature: { value: verified.signature, expiresAtMs: verified.expiresAtMs },
        // A trusted service acts as the provider, without the limits of a token.
        authority: null,
      });
    },
  );
}
