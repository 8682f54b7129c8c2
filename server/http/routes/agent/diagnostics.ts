// GET /v1/agent/diagnostics: what `mooring doctor` shows.
import { Diagnostics } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { type App, bearer, commonErrors, errorAnswers, jsonAnswer, sendJson } from '../../routing.ts';

export function registerDiagnostics(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    '/v1/agent/diagnostics',
    {
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'getDiagnostics',
        tags: ['Agent'],
        summary: 'Check the agent',
        description:
          'Owner or UI token. What was looked at, whether it is well, and what to do if not. No secrets.',
        security: bearer,
        headers: CorrelationHeaders,
        response: { 200: jsonAnswer(Diagnostics, 'The checks.'), ...errorAnswers(commonErrors) },
      },
    },
    async (_request, reply) => sendJson<Diagnostics>(reply, 200, await maintenance.diagnostics()),
  );
}
