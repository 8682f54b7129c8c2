// POST /v1/agent/settle: waits until mirrors are in sync (`mooring sync --wait`).
import { SettleBody, SettleResult } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import { workspaceNotFound } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax, settleTimeoutDefaultMs } from '../../base/limits.ts';
import {
  type App,
  bearer,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../base/routing.ts';
import { optionalBody } from '../../plugins/bodies.ts';

export function registerSettle(app: App, { mirrors, workspaces }: HttpDependencies): void {
  app.post(
    '/v1/agent/settle',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'settle',
        tags: ['Agent'],
        summary: 'Wait until mirrors are in sync',
        description: describeRoute(
          'Owner or UI token.',
          'Starts with a scan.',
          '`settled` is true only if every change made before the call, on either side, is synced. Otherwise the timeout was reached (default: 60 s; maximum: 1 hour) or a mirror is stopped; `mirrors` shows which.',
        ),
        security: bearer,
        headers: CorrelationHeaders,
        body: { ...SettleBody, ...optionalBody },
        response: {
          200: jsonAnswer(SettleResult, 'The result of the wait.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const body: SettleBody | undefined = request.body ?? undefined;
      const workspaceId = body?.workspaceId;
      if (workspaceId !== undefined && (await workspaces.get(workspaceId)) === null)
        throw workspaceNotFound();
      // The wait ends when the caller disconnects.
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const { settled, mirrors: states } = await mirrors.settle({
        ...(workspaceId === undefined ? {} : { workspaceId }),
        timeoutMs: body?.timeoutMs ?? settleTimeoutDefaultMs,
        signal: gone.signal,
      });
      return sendJson(reply, SettleResult, 200, { settled, mirrors: [...states] });
    },
  );
}
