// GET /health: is the agent alive. Open, and it asks nobody.
import { Health } from '../../contract/agent.ts';
import { type App, errorAnswers, jsonAnswer, sendJsonText } from '../base/routing.ts';

const alive = JSON.stringify({ status: 'ok' });

export function registerHealth(app: App): void {
  app.get(
    '/health',
    {
      config: { access: { kind: 'open' } },
      schema: {
        operationId: 'getHealth',
        tags: ['Agent'],
        summary: 'Is the agent alive',
        description: 'Answers as long as the agent serves requests. Needs no token and no correlation id.',
        security: [],
        response: { 200: jsonAnswer(Health, 'The agent is alive.'), ...errorAnswers(['forbidden']) },
      },
    },
    (_request, reply) => sendJsonText(reply, 200, alive),
  );
}
