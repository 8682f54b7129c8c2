// /v1/admin/replay: replays a dead letter or an operation of any workspace.
import { Accepted } from '../../../contract/common.ts';
import { ReplayOperationBody } from '../../../contract/operations.ts';
import { AnyOperationParams, ReplayEnvelopeParams } from '../../../contract/parameters.ts';
import { ApiError, correlationIdOf } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { authorityOf } from '../../request/authority.ts';
import { refuseUnqueued } from '../workspaces/ops/one.ts';
import { refuseUnreplayed } from '../workspaces/sync/dead-letters.ts';

// Clients use both spellings of each path.

const operationSpellings = [
  { path: '/v1/admin/replay/op/:opId', operationId: 'replayAdminOperation' },
  { path: '/v1/admin/replay/ops/:opId', operationId: 'replayAdminOperationPlural' },
] as const;
const envelopeSpellings = [
  { path: '/v1/admin/replay/envelope/:envelopeId', operationId: 'adminReplayEnvelope' },
  { path: '/v1/admin/replay/envelopes/:envelopeId', operationId: 'adminReplayEnvelopePlural' },
] as const;

export function registerAdminReplayOperation(app: App, { transitions }: HttpDependencies): void {
  for (const { path, operationId } of operationSpellings) {
    app.post(
      path,
      commandRoute('admin:replay', {
        operationId,
        tag: 'Admin',
        summary: 'Replay a dead-lettered operation of any workspace',
        points: ['Like `W/ops/{opId}/replay`.'],
        params: AnyOperationParams,
        optionalBody: ReplayOperationBody,
        answers: { 202: jsonAnswer(Accepted, 'The operation is pending.') },
        errors: ['not_found', 'invalid_state'],
      }),
      async (request, reply) => {
        const { opId } = request.params;
        const body: ReplayOperationBody | undefined = request.body ?? undefined;
        const correlationId = correlationIdOf(request);
        const send = body?.send ?? 'current';
        const by = authorityOf(request, 'admin:replay');
        refuseUnqueued(opId, await transitions.replayAnywhere(opId, { send, correlationId, by }));
        return sendJson(reply, Accepted, 202, { status: 'queued', id: opId, correlationId });
      },
    );
  }
}

export function registerAdminReplayEnvelope(app: App, { ingest }: HttpDependencies): void {
  for (const { path, operationId } of envelopeSpellings) {
    app.post(
      path,
      route(
        { kind: 'admin', scopes: ['admin:replay'] },
        {
          operationId,
          tag: 'Admin',
          summary: 'Replay a dead letter of any workspace',
          points: [
            'Replays it unchanged, with the rights that both the sender and the caller have.',
            'If dead letters of several workspaces have this id: `invalid_state`; replay it in its workspace.',
          ],
          params: ReplayEnvelopeParams,
          answers: { 202: jsonAnswer(Accepted, 'The envelope is pending.') },
          errors: ['not_found', 'invalid_state', 'payload_too_large'],
        },
      ),
      async (request, reply) => {
        const { envelopeId } = request.params;
        const by = authorityOf(request, 'admin:replay');
        const outcome = await ingest.deadLetters.replayAnywhere(envelopeId, by);
        if (outcome === 'ambiguous') {
          throw new ApiError(
            'invalid_state',
            'dead letters of several workspaces have this id: replay it in its workspace',
          );
        }
        refuseUnreplayed(outcome);
        const correlationId = correlationIdOf(request);
        return sendJson(reply, Accepted, 202, { status: 'queued', id: envelopeId, correlationId });
      },
    );
  }
}
