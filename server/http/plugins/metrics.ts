// One observation and, when it is wanted, one log line for each answer: the pattern of the route, never the query.
import type { FastifyInstance } from 'fastify';
import type { HttpLog, HttpMetrics } from '../dependencies.ts';
import { correlationIdOf } from './errors.ts';

export function registerMetrics(app: FastifyInstance, metrics: HttpMetrics, log: HttpLog): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const milliseconds = reply.elapsedTime;
    metrics.requestFinished(method, route, reply.statusCode, milliseconds / 1000);
    log.debug(
      { method, route, status: reply.statusCode, milliseconds, correlationId: correlationIdOf(request) },
      'answered',
    );
    done();
  });
}
