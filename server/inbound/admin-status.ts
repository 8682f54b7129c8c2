// Inbound status of all workspaces for the admin API, with alerts. Reads only.
import type { AdminIngress, AdminSync } from '../contract/admin.ts';
import type { IngressStatus, SyncStatus } from '../contract/sync.ts';
import {
  type AlertProfile,
  alertTotals,
  type IngressThresholds,
  ingressAlerts,
  ingressProfiles,
  type SyncThresholds,
  sortAlerts,
  syncAlerts,
} from '../core/inbound/alerts.ts';
import type { Clock } from '../platform/clock.ts';
import type { IngestStatus } from './status.ts';

export { syncThresholds } from '../core/inbound/alerts.ts';

export interface AdminQuery {
  /** null: every workspace, every provider. */
  readonly workspaceId: string | null;
  readonly provider: string | null;
  /** Without workspaces, or providers of them, that have nothing to show. */
  readonly nonZeroOnly: boolean;
  /** A workspace id, exclusive. */
  readonly cursor: string | null;
  readonly limit: number;
  readonly includeWorkspaces: boolean;
  readonly includeAlerts: boolean;
  readonly alertsMax: number;
}

export interface IngressQuery extends AdminQuery {
  readonly alertProfile: AlertProfile;
  /** Explicit ones; any makes the effective profile `custom`. */
  readonly thresholds: Partial<IngressThresholds>;
}

export type AdminStatus = ReturnType<typeof createAdminStatus>;

/** `workspaceIds`: of live workspaces. */
export function createAdminStatus(
  status: IngestStatus,
  workspaceIds: () => Promise<readonly string[]>,
  clock: Pick<Clock, 'nowMs'>,
) {
  const now = () => new Date(clock.nowMs()).toISOString();
  const idsFor = async ({ workspaceId }: AdminQuery): Promise<readonly string[]> => {
    const all = [...(await workspaceIds())].sort();
    return workspaceId === null ? all : all.filter((id) => id === workspaceId);
  };
  return {
    async ingress(query: IngressQuery): Promise<AdminIngress> {
      const all: IngressStatus[] = [];
      for (const id of await idsFor(query)) {
        const one = await status.ingress(id, query.provider);
        if (!query.nonZeroOnly || hasIngress(one)) all.push(one);
      }
      const { head, workspaces } = pageOf(all, query);
      const { alertProfile } = query;
      const thresholds = { ...ingressProfiles[alertProfile], ...query.thresholds };
      const isCustom = Object.keys(query.thresholds).length > 0;
      const alerts = sortAlerts(all.flatMap((one) => ingressAlerts(one, thresholds)));
      return {
        generatedAt: now(),
        alertProfile,
        effectiveAlertProfile: isCustom ? 'custom' : alertProfile,
        ...head,
        ...ingressTotals(all),
        thresholds,
        ...alertPart(alerts, query),
        workspaces,
      };
    },
    async sync(query: AdminQuery & { readonly thresholds: SyncThresholds }): Promise<AdminSync> {
      const all: SyncStatus[] = [];
      for (const id of await idsFor(query)) {
        const one = await status.sync(id, query.provider);
        const providers = one.providers.filter((sync) => !query.nonZeroOnly || isNoteworthy(sync));
        if (!query.nonZeroOnly || providers.length > 0) all.push({ ...one, providers });
      }
      const { head, workspaces } = pageOf(all, query);
      const alerts = sortAlerts(
        all.flatMap(({ workspaceId, providers }) =>
          providers.flatMap((sync) => syncAlerts(workspaceId, sync, query.thresholds)),
        ),
      );
      return {
        generatedAt: now(),
        ...head,
        ...syncTotals(all.flatMap(({ providers }) => providers)),
        thresholds: { ...query.thresholds },
        ...alertPart(alerts, query),
        workspaces,
      };
    },
  };
}

function ingressTotals(all: readonly IngressStatus[]) {
  const sum = (read: (one: IngressStatus) => number) => all.reduce((total, one) => total + read(one), 0);
  return {
    pendingTotal: sum((one) => one.pendingTotal),
    deadLetterTotal: sum((one) => one.deadLetterTotal),
    acceptedTotal: sum((one) => one.acceptedTotal),
    droppedTotal: sum((one) => one.droppedTotal),
    dedupedTotal: sum((one) => one.dedupedTotal),
    coalescedTotal: sum((one) => one.coalescedTotal),
    suppressedTotal: sum((one) => one.suppressedTotal),
    staleTotal: sum((one) => one.staleTotal),
  };
}

function syncTotals(providers: SyncStatus['providers']) {
  const withStatus = (status: string) => providers.filter((sync) => sync.status === status).length;
  const failureCodes: Record<string, number> = {};
  for (const sync of providers) {
    for (const [code, count] of Object.entries(sync.failureCodes ?? {})) {
      failureCodes[code] = (failureCodes[code] ?? 0) + count;
    }
  }
  return {
    providerStatusCount: providers.length,
    healthyCount: withStatus('healthy'),
    laggingCount: withStatus('lagging'),
    errorCount: withStatus('error'),
    pausedCount: withStatus('paused'),
    deadLetteredEnvelopesTotal: providers.reduce((sum, one) => sum + (one.deadLetteredEnvelopes ?? 0), 0),
    deadLetteredOpsTotal: providers.reduce((sum, one) => sum + (one.deadLetteredOps ?? 0), 0),
    failureCodes,
  };
}

function pageOf<T extends { readonly workspaceId: string }>(all: readonly T[], query: AdminQuery) {
  const { cursor, limit, includeWorkspaces } = query;
  const after = cursor === null ? all : all.filter((one) => one.workspaceId > cursor);
  const page = after.slice(0, limit);
  return {
    head: {
      workspaceCount: all.length,
      returnedWorkspaceCount: page.length,
      workspaceIds: page.map((one) => one.workspaceId),
      nextCursor: after.length > page.length ? (page.at(-1)?.workspaceId ?? null) : null,
    },
    workspaces: Object.fromEntries(includeWorkspaces ? page.map((one) => [one.workspaceId, one]) : []),
  };
}

/** The totals count every alert, also those that are not listed. */
function alertPart<T extends Parameters<typeof alertTotals>[0][number]>(
  alerts: readonly T[],
  { includeAlerts, alertsMax }: AdminQuery,
) {
  const shown = includeAlerts ? alerts.slice(0, alertsMax) : [];
  return {
    alertTotals: alertTotals(alerts),
    alertsTruncated: includeAlerts && shown.length < alerts.length,
    alerts: [...shown],
  };
}

function hasIngress(one: IngressStatus): boolean {
  const { acceptedTotal, droppedTotal, dedupedTotal, pendingTotal, deadLetterTotal } = one;
  return acceptedTotal + droppedTotal + dedupedTotal + pendingTotal + deadLetterTotal > 0;
}

function isNoteworthy(sync: SyncStatus['providers'][number]): boolean {
  const { status, lagSeconds = 0, deadLetteredEnvelopes = 0, deadLetteredOps = 0 } = sync;
  return status !== 'healthy' || lagSeconds + deadLetteredEnvelopes + deadLetteredOps > 0;
}
