// GET /metrics: the metrics of the agent as Prometheus text.
import type { HttpDependencies } from '../base/dependencies.ts';
import { route } from '../base/route-options.ts';
import { type App, mediaAnswer } from '../base/routing.ts';

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
