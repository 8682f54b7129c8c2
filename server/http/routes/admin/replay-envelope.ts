// POST /v1/admin/replay/envelope: replays a dead letter of any workspace.
import { Accepted } from '../../../contract/common.ts';
import { ReplayEnvelopeParams } from '../../../contract/parameters.ts';
import { ApiError, correlationIdOf } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { authorityOf } from '../../request/authority.ts';
import { refuseUnreplayed } from '../workspaces/sync/dead-letters.ts';

const access = { kind: 'admin', scopes: ['admin:replay'] } as const;

/** Clients use both paths. */
const spellings = [
  { suffix: '', id: '' },
  { suffix: 's', id: 'Plural' },
] as const;

export function registerAdminReplayEnvelope(app: App, dependencies: HttpDependencies): void {
  for (const spelling of spellings) registerSpelling(app, dependencies, spelling);
}

function registerSpelling(
  app: App,
  { ingest }: HttpDependencies,
  { suffix, id }: (typeof spellings)[number],
): void {
  app.post(
    `/v1/admin/replay/envelope${suffix}/:envelopeId`,
    route(access, {
      operationId: `adminReplayEnvelope${id}`,
      tag: 'Admin',
      summary: 'Replay a dead letter of any workspace',
      points: [
        'Replays it unchanged, with the rights that both the sender and the caller have.',
        'If dead letters of several workspaces have this id: `invalid_state`; replay it in its workspace.',
      ],
      params: ReplayEnvelopeParams,
      answers: { 202: jsonAnswer(Accepted, 'The envelope is pending.') },
      errors: ['not_found', 'invalid_state', 'payload_too_large'],
    }),
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
