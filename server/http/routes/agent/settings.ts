// GET /v1/agent/settings: the settings of the running agent. Only flags, variables and `config.json` change them.
import { AgentSettings } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import {
  type App,
  bearer,
  commonErrors,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
} from '../../base/routing.ts';

export function registerSettings(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    '/v1/agent/settings',
    {
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'getAgentSettings',
        tags: ['Agent'],
        summary: 'List the settings',
        description: describeRoute(
          'Owner or UI token.',
          'The values of the running agent, with the flag and the variable of each. No value is a secret.',
        ),
        security: bearer,
        headers: CorrelationHeaders,
        response: { 200: jsonAnswer(AgentSettings, 'The settings.'), ...errorAnswers(commonErrors) },
      },
    },
    async (_request, reply) => sendJson(reply, AgentSettings, 200, maintenance.settings()),
  );
}
