// GET /health: answers while the agent is running. Open, without any dependency.
import { Health } from '../../contract/agent.ts';
import { route } from '../base/route-options.ts';
import { type App, jsonAnswer, sendJsonText } from '../base/routing.ts';

const alive = JSON.stringify({ status: 'ok' });

export function registerHealth(app: App): void {
  app.get(
    '/health',
    route('open', {
      operationId: 'getHealth',
      tag: 'Agent',
      summary: 'Check that the agent is running',
      points: ['Answers while the agent serves requests.'],
      answers: { 200: jsonAnswer(Health, 'The agent is running.') },
    }),
    (_request, reply) => sendJsonText(reply, 200, alive),
  );
}
