// POST /v1/admin/replay/op: replays an operation of any workspace.
import { Accepted } from '../../../contract/common.ts';
import { ReplayOperationBody } from '../../../contract/operations.ts';
import { AnyOperationParams } from '../../../contract/parameters.ts';
import { correlationIdOf } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
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
      commandRoute('admin:replay', {
        operationId: operationId,
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
