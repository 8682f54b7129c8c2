// W/sync/status and W/sync/ingress: how each provider's sync is, and the counters of what came in.
import { CorrelationHeaders, SyncQueryParameters, WorkspaceParams } from '../../../../contract/parameters.ts';
import { IngressStatus, SyncStatus } from '../../../../contract/sync.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { coversProvider } from '../../../request/path-grants.ts';

const url = '/v1/workspaces/:workspaceId/sync';
const access = { kind: 'workspace', scope: 'sync:read', path: 'none' } as const;

export function registerSyncStatus(app: App, dependencies: HttpDependencies): void {
  registerGetSyncStatus(app, dependencies);
  registerGetSyncIngress(app, dependencies);
}

function registerGetSyncStatus(app: App, { ingest }: HttpDependencies): void {
  app.get(
    `${url}/status`,
    {
      config: { access },
      schema: {
        operationId: 'getSyncStatus',
        tags: ['Sync'],
        summary: 'How the sync of each provider is',
        description:
          'Scope: `sync:read`; providers whose whole directory a path of it does not cover are left out. Providers are the first segments of files, the senders of webhooks and the registered ones. A provider that nobody knows is healthy. `lagging`: an envelope waits for more than 30 s. `error`: there are dead letters, or the provider itself failed last.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        querystring: SyncQueryParameters,
        response: { 200: jsonAnswer(SyncStatus, 'One entry a provider.'), ...errorAnswers(workspaceErrors) },
      },
    },
    async (request, reply) => {
      const provider = queryOf(request).text('provider')?.toLowerCase() ?? null;
      const status = await ingest.status.sync(request.params.workspaceId, provider);
      const shown = (one: { readonly provider: string }) =>
        coversProvider(request, 'sync:read', one.provider);
      return sendJson(reply, SyncStatus, 200, { ...status, providers: status.providers.filter(shown) });
    },
  );
}

function registerGetSyncIngress(app: App, { ingest }: HttpDependencies): void {
  app.get(
    `${url}/ingress`,
    {
      config: { access },
      schema: {
        operationId: 'getSyncIngress',
        tags: ['Sync'],
        summary: 'Counters of what came in',
        description:
          'Scope: `sync:read`; providers whose whole directory a path of it does not cover are not counted. Totals since the workspace was made; they survive restarts. The queue is one for all workspaces; `pendingTotal` is of this one.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        querystring: SyncQueryParameters,
        response: { 200: jsonAnswer(IngressStatus, 'The counters.'), ...errorAnswers(workspaceErrors) },
      },
    },
    async (request, reply) => {
      const provider = queryOf(request).text('provider')?.toLowerCase() ?? null;
      const { workspaceId } = request.params;
      const shown = (name: string) => coversProvider(request, 'sync:read', name);
      return sendJson(reply, IngressStatus, 200, await ingest.status.ingress(workspaceId, provider, shown));
    },
  );
}
