// Binds the requests of one caller to one life of the store: a request that names an epoch is refused by a store that was restored or
// replaced since (docs/wire-contract.md#epoch).
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../base/api-error.ts';
import type { HttpDependencies } from '../base/dependencies.ts';

const epochHeader = 'mooring-epoch';
/** The caller knows none yet. */
const anyEpoch = '*';

/** Registered after the check of the token, so that only callers with one learn the epoch. */
export async function registerEpoch(
  app: FastifyInstance,
  { maintenance }: Pick<HttpDependencies, 'maintenance'>,
): Promise<void> {
  // A restore needs a stopped agent.
  const epoch = await maintenance.epoch();
  app.addHook('onRequest', (request, reply, done) => {
    const known = request.headers[epochHeader];
    const { workspaceId } = (request.params ?? {}) as { readonly workspaceId?: string };
    if (known === undefined || workspaceId === undefined) return done();
    reply.header(epochHeader, epoch);
    if (known === anyEpoch || known === epoch) return done();
    done(
      new ApiError(
        'precondition_failed',
        'this store was restored or replaced since: read the files again, and then their revisions',
      ),
    );
  });
}
