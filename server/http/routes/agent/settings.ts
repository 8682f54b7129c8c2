// GET /v1/agent/settings: the settings of the running agent. Only flags, variables and `config.json` change them.
import { AgentSettings } from '../../../contract/agent.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';

export function registerSettings(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    '/v1/agent/settings',
    route('owner', {
      operationId: 'getAgentSettings',
      tag: 'Agent',
      summary: 'List the settings',
      points: [
        'The values of the running agent, with the flag and the variable of each. No value is a secret.',
      ],
      answers: { 200: jsonAnswer(AgentSettings, 'The settings.') },
    }),
    async (_request, reply) => sendJson(reply, AgentSettings, 200, maintenance.settings()),
  );
}
