// /v1/admin/replay/envelope: a dead letter of any workspace, named by its id alone.
import { Accepted } from '../../../contract/common.ts';
import { CorrelationHeaders, ReplayEnvelopeParams } from '../../../contract/parameters.ts';
import { ApiError, correlationIdOf } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { type App, bearer, commonErrors, errorAnswers, jsonAnswer, sendJson } from '../../base/routing.ts';
import { authorityOf } from '../../request/authority.ts';
import { refuseUnreplayed } from '../workspaces/sync/dead-letters.ts';

const access = { kind: 'admin', scopes: ['admin:replay'] } as const;
const scope = 'Scope: `admin:replay`, of any workspace.';
const errors = [...commonErrors, 'not_found', 'invalid_state', 'payload_too_large'] as const;

/** Both spellings are the same call (contract 2, admin); the second is described as the other's twin. */
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
    {
      config: { access },
      schema: {
        operationId: `adminReplayEnvelope${id}`,
        tags: ['Admin'],
        summary: 'Try a dead letter again',
        description: `${scope} As it is, and with no more than both may do, whoever sent it and whoever replays it. When dead letters of several workspaces have this id: \`invalid_state\`; name the workspace then.`,
        security: bearer,
        params: ReplayEnvelopeParams,
        headers: CorrelationHeaders,
        response: { 202: jsonAnswer(Accepted, 'It waits to be applied again.'), ...errorAnswers(errors) },
      },
    },
    async (request, reply) => {
      const { envelopeId } = request.params;
      const by = authorityOf(request, 'admin:replay');
      const outcome = await ingest.deadLetters.replayAnywhere(envelopeId, by);
      if (outcome === 'ambiguous') {
        throw new ApiError('invalid_state', 'dead letters of several workspaces have this id');
      }
      refuseUnreplayed(outcome);
      const correlationId = correlationIdOf(request);
      return sendJson(reply, Accepted, 202, { status: 'queued', id: envelopeId, correlationId });
    },
  );
}
