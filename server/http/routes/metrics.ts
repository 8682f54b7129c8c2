// GET /metrics: the metrics of the agent as Prometheus text.
import type { HttpDependencies } from '../base/dependencies.ts';
import { type App, bearer, describeRoute, errorAnswers, mediaAnswer } from '../base/routing.ts';

export function registerMetricsRoute(app: App, { metrics }: HttpDependencies): void {
  app.get(
    '/metrics',
    {
      config: { access: { kind: 'metrics' } },
      schema: {
        operationId: 'getMetrics',
        tags: ['Agent'],
        summary: 'Get the metrics',
        description: describeRoute(
          'Scope: `admin:read`, or the owner token; none when the agent runs with `--metrics open`.',
          'Prometheus text. Needs no correlation id.',
        ),
        security: bearer,
        response: {
          200: mediaAnswer(['text/plain'], 'Prometheus text.'),
          ...errorAnswers(['unauthorized', 'forbidden', 'internal_error', 'unavailable']),
        },
      },
    },
    async (_request, reply) => {
      const { contentType, text } = await metrics.render();
      return reply.header('content-type', contentType).send(text);
    },
  );
}
