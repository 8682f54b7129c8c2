// /v1/admin: backends, and counters and sync status of all workspaces.
import { AdminIngress, AdminSync, alertProfiles, BackendStatus } from '../../../contract/admin.ts';
import { AdminIngressQueryParameters, AdminSyncQueryParameters } from '../../../contract/parameters.ts';
import { type AdminQuery, syncThresholds } from '../../../inbound/admin-status.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { adminAlerts, adminLimit } from '../../base/limits.ts';
import type { Query } from '../../base/query.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { queryOf } from '../../plugins/auth.ts';

const access = { kind: 'admin', scopes: ['admin:read', 'admin:replay'] } as const;
const pagePoints = [
  'Invalid parameters: `bad_request`.',
  'Totals and alerts include all rows that match the filters, not only the page.',
];

export function registerAdminStatus(app: App, dependencies: HttpDependencies): void {
  registerBackends(app, dependencies);
  registerGetAdminIngress(app, dependencies);
  registerGetAdminSync(app, dependencies);
}

function registerBackends(app: App, { ingest }: HttpDependencies): void {
  app.get(
    '/v1/admin/backends',
    route(access, {
      operationId: 'getBackends',
      tag: 'Admin',
      summary: 'Get the storage and queue backends',
      answers: { 200: jsonAnswer(BackendStatus, 'The backends.') },
    }),
    async (_request, reply) => {
      const queues = await ingest.status.queues();
      return sendJson(reply, BackendStatus, 200, {
        backendProfile: 'durable-local',
        stateBackend: 'sqlite',
        envelopeQueue: 'sqlite',
        envelopeQueueDepth: queues.envelopes,
        envelopeQueueCapacity: queues.envelopeCapacity,
        writebackQueue: 'sqlite',
        writebackQueueDepth: queues.writebacks,
        writebackQueueCapacity: 0,
      });
    },
  );
}

function registerGetAdminIngress(app: App, { adminStatus }: HttpDependencies): void {
  app.get(
    '/v1/admin/ingress',
    route(access, {
      operationId: 'getAdminIngress',
      tag: 'Admin',
      summary: 'Get the counters of inbound events of all workspaces',
      points: pagePoints,
      query: AdminIngressQueryParameters,
      answers: { 200: jsonAnswer(AdminIngress, 'Totals, alerts, and a page of workspaces.') },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const profile = query.text('alertProfile') ?? 'balanced';
      const alertProfile = alertProfiles.find((known) => known === profile);
      if (alertProfile === undefined) throw new ApiError('bad_request', 'invalid alertProfile');
      const requested = {
        pending: threshold(query, 'pendingThreshold'),
        deadLetter: threshold(query, 'deadLetterThreshold'),
        stale: threshold(query, 'staleThreshold'),
        dropRate: share(query, 'dropRateThreshold'),
      };
      const thresholds = Object.fromEntries(
        Object.entries(requested).filter(([, value]) => value !== undefined),
      );
      const body = await adminStatus.ingress({ ...adminQuery(query), alertProfile, thresholds });
      return sendJson(reply, AdminIngress, 200, body);
    },
  );
}

function registerGetAdminSync(app: App, { adminStatus }: HttpDependencies): void {
  app.get(
    '/v1/admin/sync',
    route(access, {
      operationId: 'getAdminSync',
      tag: 'Admin',
      summary: 'Get the sync status of all workspaces',
      points: pagePoints,
      query: AdminSyncQueryParameters,
      answers: { 200: jsonAnswer(AdminSync, 'Totals, alerts, and a page of workspaces.') },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const thresholds = {
        statusError: threshold(query, 'statusErrorThreshold') ?? syncThresholds.statusError,
        lagSeconds: threshold(query, 'lagSecondsThreshold') ?? syncThresholds.lagSeconds,
        deadLetteredEnvelopes:
          threshold(query, 'deadLetteredEnvelopesThreshold') ?? syncThresholds.deadLetteredEnvelopes,
        deadLetteredOps: threshold(query, 'deadLetteredOpsThreshold') ?? syncThresholds.deadLetteredOps,
      };
      const body = await adminStatus.sync({ ...adminQuery(query), thresholds });
      return sendJson(reply, AdminSync, 200, body);
    },
  );
}

// ---- parameters, strict (docs/wire-contract.md#identifiers-and-numbers)

function adminQuery(query: Query): AdminQuery {
  return {
    workspaceId: query.text('workspaceId') ?? null,
    provider: query.text('provider')?.toLowerCase() ?? null,
    nonZeroOnly: flag(query, 'nonZeroOnly', false),
    cursor: query.text('cursor') ?? null,
    limit: integer(query, 'limit', adminLimit) ?? adminLimit.default,
    includeWorkspaces: flag(query, 'includeWorkspaces', true),
    includeAlerts: flag(query, 'includeAlerts', true),
    alertsMax: integer(query, 'maxAlerts', adminAlerts) ?? adminAlerts.default,
  };
}

function threshold(query: Query, name: string): number | undefined {
  return integer(query, name, { min: 1, max: Number.MAX_SAFE_INTEGER });
}

function integer(
  query: Query,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const text = query.text(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new ApiError('bad_request', `invalid ${name}`);
  return value;
}

function share(query: Query, name: string): number | undefined {
  const text = query.text(name);
  if (text === undefined) return undefined;
  const value = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw new ApiError('bad_request', `invalid ${name}`);
  return value;
}

function flag(query: Query, name: string, absent: boolean): boolean {
  switch (query.text(name)) {
    case undefined:
      return absent;
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      throw new ApiError('bad_request', `invalid ${name}`);
  }
}
