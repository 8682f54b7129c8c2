// GET /v1/agent/settings: what the agent runs with. They are changed where they stand: flags, variables, `config.json`.
import { AgentSettings } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { type App, bearer, commonErrors, errorAnswers, jsonAnswer, sendJson } from '../../base/routing.ts';

export function registerSettings(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    '/v1/agent/settings',
    {
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'getAgentSettings',
        tags: ['Agent'],
        summary: 'Read the settings',
        description:
          'Owner or UI token. Limits, retention and the rest as the agent runs with them, and what each is called as a flag and as a variable. No value is a secret.',
        security: bearer,
        headers: CorrelationHeaders,
        response: { 200: jsonAnswer(AgentSettings, 'The settings.'), ...errorAnswers(commonErrors) },
      },
    },
    async (_request, reply) => sendJson(reply, AgentSettings, 200, maintenance.settings()),
  );
}
