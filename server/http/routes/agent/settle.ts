// POST /v1/agent/settle: wait until both sides of the mirrors agree. `mooring sync --wait` is this.
import { SettleBody, SettleResult } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import { workspaceNotFound } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax, settleTimeoutDefaultMs } from '../../base/limits.ts';
import { type App, bearer, errorAnswers, jsonAnswer, sendJson, workspaceErrors } from '../../base/routing.ts';
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
        summary: 'Wait until mirrors are settled',
        description:
          'Owner or UI token. Scans first. `settled` is true only when every change made before the call, on either side, was seen and settled; else the time (60 s by default, an hour at most) was up or a mirror stands still, and `mirrors` says which.',
        security: bearer,
        headers: CorrelationHeaders,
        body: { ...SettleBody, ...optionalBody },
        response: {
          200: jsonAnswer(SettleResult, 'What was reached.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const body: SettleBody | undefined = request.body ?? undefined;
      const workspaceId = body?.workspaceId;
      if (workspaceId !== undefined && (await workspaces.get(workspaceId)) === null)
        throw workspaceNotFound();
      // Nobody waits any more once the caller is gone.
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
