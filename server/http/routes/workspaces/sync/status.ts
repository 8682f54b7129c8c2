// W/sync/status and W/sync/ingress: the sync status of providers, and the counters of inbound events.
import { SyncQueryParameters } from '../../../../contract/parameters.ts';
import { IngressStatus, SyncStatus } from '../../../../contract/sync.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { coversProvider } from '../../../request/path-grants.ts';

const url = '/v1/workspaces/:workspaceId/sync';

export function registerSyncStatus(app: App, dependencies: HttpDependencies): void {
  registerGetSyncStatus(app, dependencies);
  registerGetSyncIngress(app, dependencies);
}

function registerGetSyncStatus(app: App, { ingest }: HttpDependencies): void {
  app.get(
    `${url}/status`,
    route('sync:read', {
      operationId: 'getSyncStatus',
      tag: 'Sync',
      summary: 'Get the sync status of each provider',
      callers:
        'Scope: `sync:read`; providers whose directory the token’s path scope does not cover completely are omitted.',
      points: [
        'Providers are the first segments of files, the senders of inbound events, and the registered ones.',
        'An unknown provider is `healthy`. `lagging`: an envelope has been pending for more than 30 s. `error`: there are dead letters, or the last call of the provider failed.',
      ],
      query: SyncQueryParameters,
      answers: { 200: jsonAnswer(SyncStatus, 'One entry per provider.') },
    }),
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
    route('sync:read', {
      operationId: 'getSyncIngress',
      tag: 'Sync',
      summary: 'Get the counters of inbound events',
      callers:
        'Scope: `sync:read`; providers whose directory the token’s path scope does not cover completely are not counted.',
      points: [
        'Totals since the workspace was created, also across restarts.',
        'All workspaces share one queue; `pendingTotal` counts this workspace.',
      ],
      query: SyncQueryParameters,
      answers: { 200: jsonAnswer(IngressStatus, 'The counters.') },
    }),
    async (request, reply) => {
      const provider = queryOf(request).text('provider')?.toLowerCase() ?? null;
      const { workspaceId } = request.params;
      const shown = (name: string) => coversProvider(request, 'sync:read', name);
      return sendJson(reply, IngressStatus, 200, await ingest.status.ingress(workspaceId, provider, shown));
    },
  );
}
