// GET /health: answers while the agent is running. Open, without any dependency.
import { Health } from '../../contract/agent.ts';
import { type App, describeRoute, errorAnswers, jsonAnswer, sendJsonText } from '../base/routing.ts';

const alive = JSON.stringify({ status: 'ok' });

export function registerHealth(app: App): void {
  app.get(
    '/health',
    {
      config: { access: { kind: 'open' } },
      schema: {
        operationId: 'getHealth',
        tags: ['Agent'],
        summary: 'Check that the agent is running',
        description: describeRoute(
          'Needs no token and no correlation id.',
          'Answers while the agent serves requests.',
        ),
        security: [],
        response: { 200: jsonAnswer(Health, 'The agent is running.'), ...errorAnswers(['forbidden']) },
      },
    },
    (_request, reply) => sendJsonText(reply, 200, alive),
  );
}
