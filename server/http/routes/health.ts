// GET /health: answers while the agent is running, open and without any dependency. GET /metrics: the metrics as Prometheus text.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Health, Readiness } from '../../contract/agent.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import { route } from '../base/route-options.ts';
import { type App, jsonAnswer, mediaAnswer, sendJson, sendJsonText } from '../base/routing.ts';

const alive = JSON.stringify({ status: 'ok' });
const headOptions = { config: { access: { kind: 'open' } }, schema: { hide: true } } as const;

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
  // Many monitors ask with HEAD.
  app.head('/health', headOptions, (_request, reply) => sendJsonText(reply, 200, alive));
}

export function registerReadiness(app: App, { maintenance }: HttpDependencies): void {
  const answer = async (_request: FastifyRequest, reply: FastifyReply) => {
    const reason = await maintenance.unready();
    return reason === null
      ? sendJson(reply, Readiness, 200, { ready: true })
      : sendJson(reply, Readiness, 503, { ready: false, reason });
  };
  app.get(
    '/ready',
    route('open', {
      operationId: 'getReadiness',
      tag: 'Agent',
      summary: 'Check that the agent can serve requests',
      points: [
        'For load balancers: `503` while its store does not answer, and while it stops.',
        'Needs no token and no correlation id.',
      ],
      answers: {
        200: jsonAnswer(Readiness, 'The agent can read and write.'),
        503: jsonAnswer(Readiness, 'It cannot; `reason` says why.'),
      },
    }),
    answer,
  );
  app.head('/ready', headOptions, answer);
}

export function registerMetricsRoute(app: App, { metrics }: HttpDependencies): void {
  app.get(
    '/metrics',
    route(
      { kind: 'metrics' },
      {
        operationId: 'getMetrics',
        tag: 'Agent',
        summary: 'Get the metrics',
        callers: 'Scope: `admin:read`, or the owner token; none when the agent runs with `--metrics open`.',
        points: ['Prometheus text. Needs no correlation id.'],
        answers: { 200: mediaAnswer(['text/plain'], 'Prometheus text.') },
      },
    ),
    async (_request, reply) => {
      const { contentType, text } = await metrics.render();
      return reply.header('content-type', contentType).send(text);
    },
  );
}
