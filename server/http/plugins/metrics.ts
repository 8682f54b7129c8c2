// Records each response: a metric, the client's counters and, at level debug, a log line, with the pattern of the route, never the
// query.
import type { FastifyContextConfig, FastifyInstance, FastifyReply } from 'fastify';
import { correlationIdOf } from '../base/api-error.ts';
import type { ClientUses } from '../base/client-uses.ts';
import type { HttpLog, HttpMetrics } from '../base/dependencies.ts';

export function registerMetrics(
  app: FastifyInstance,
  metrics: HttpMetrics,
  log: HttpLog,
  clients: ClientUses,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    // A getter that creates an object at each access.
    const { url, config } = request.routeOptions;
    const route = url ?? 'none';
    const milliseconds = reply.elapsedTime;
    metrics.requestFinished(method, route, reply.statusCode, milliseconds / 1000);
    log.debug(
      { method, route, status: reply.statusCode, milliseconds, correlationId: correlationIdOf(request) },
      'answered',
    );
    if (request.mooringCaller !== null) clients.answered(request.mooringCaller, hasWritten(config, reply));
    done();
  });
}

/** A dry run has the status 200, a change another success. */
function hasWritten({ access }: FastifyContextConfig, { statusCode }: FastifyReply): boolean {
  const mayWrite = access?.kind === 'workspace' && access.scope === 'fs:write';
  return mayWrite && statusCode > 200 && statusCode < 300;
}
