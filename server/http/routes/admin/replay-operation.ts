// POST /v1/admin/replay/op: replays an operation of any workspace.
import { Accepted } from '../../../contract/common.ts';
import { ReplayOperationBody } from '../../../contract/operations.ts';
import { AnyOperationParams, CorrelationHeaders } from '../../../contract/parameters.ts';
import { correlationIdOf } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../base/limits.ts';
import {
  type App,
  bearer,
  commonErrors,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
} from '../../base/routing.ts';
import { optionalBody } from '../../plugins/bodies.ts';
import { authorityOf } from '../../request/authority.ts';
import { refuseUnqueued } from '../workspaces/ops/one.ts';

export function registerAdminReplayOperation(app: App, { transitions }: HttpDependencies): void {
  // Clients use both paths.
  for (const [segment, operationId] of [
    ['op', 'replayAdminOperation'],
    ['ops', 'replayAdminOperationPlural'],
  ] as const) {
    app.post(
      `/v1/admin/replay/${segment}/:opId`,
      {
        bodyLimit: commandBodyBytesMax,
        config: { access: { kind: 'workspace', scope: 'admin:replay', path: 'none' } },
        schema: {
          operationId,
          tags: ['Admin'],
          summary: 'Replay a dead-lettered operation of any workspace',
          description: describeRoute('Scope: `admin:replay`.', 'Like `W/ops/{opId}/replay`.'),
          security: bearer,
          params: AnyOperationParams,
          headers: CorrelationHeaders,
          body: { ...ReplayOperationBody, ...optionalBody },
          response: {
            202: jsonAnswer(Accepted, 'The operation is pending.'),
            ...errorAnswers([...commonErrors, 'not_found', 'invalid_state', 'payload_too_large']),
          },
        },
      },
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
