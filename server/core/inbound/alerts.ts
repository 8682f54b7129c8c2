// Derives alerts from counts and thresholds of the admin endpoints: worst first. Pure.
import type { AdminIngressAlert, AdminSyncAlert, AlertTotals } from '../../contract/admin.ts';
import type { IngressStatus, ProviderSync } from '../../contract/sync.ts';
import { plural } from '../amounts.ts';

export interface IngressThresholds {
  readonly pending: number;
  readonly deadLetter: number;
  readonly stale: number;
  /** Share of the received envelopes, 0 to 1. */
  readonly dropRate: number;
}

/** Thresholds of the admin endpoints. */
export const ingressProfiles = {
  strict: { pending: 25, deadLetter: 1, stale: 5, dropRate: 0.02 },
  balanced: { pending: 100, deadLetter: 1, stale: 10, dropRate: 0.05 },
  relaxed: { pending: 500, deadLetter: 5, stale: 50, dropRate: 0.2 },
} as const satisfies Record<string, IngressThresholds>;
export type AlertProfile = keyof typeof ingressProfiles;

export interface SyncThresholds {
  readonly statusError: number;
  readonly lagSeconds: number;
  readonly deadLetteredEnvelopes: number;
  readonly deadLetteredOps: number;
}

/** Thresholds of the admin endpoints. */
export const syncThresholds: SyncThresholds = {
  statusError: 1,
  lagSeconds: 30,
  deadLetteredEnvelopes: 1,
  deadLetteredOps: 1,
};

export function ingressAlerts(
  status: IngressStatus,
  thresholds: IngressThresholds,
): readonly AdminIngressAlert[] {
  const { workspaceId, deadLetterTotal, pendingTotal, staleTotal, droppedTotal, acceptedTotal } = status;
  const offered = acceptedTotal + droppedTotal;
  const dropRate = offered === 0 ? 0 : droppedTotal / offered;
  const alerts: AdminIngressAlert[] = [];
  const add = (type: AdminIngressAlert['type'], value: number, threshold: number, message: string) => {
    if (value < threshold || value === 0) return;
    const severity = type === 'dead_letters' ? 'critical' : 'warning';
    alerts.push({ workspaceId, type, severity, value, threshold, message });
  };
  add('dead_letters', deadLetterTotal, thresholds.deadLetter, plural(deadLetterTotal, 'dead letter'));
  add(
    'pending_backlog',
    pendingTotal,
    thresholds.pending,
    `${plural(pendingTotal, 'envelope')} not applied yet`,
  );
  add(
    'drop_rate',
    dropRate,
    thresholds.dropRate,
    `${(dropRate * 100).toFixed(1)} % were refused for want of room`,
  );
  add('stale_events', staleTotal, thresholds.stale, `${staleTotal} came after something newer`);
  return alerts;
}

export function syncAlerts(
  workspaceId: string,
  sync: ProviderSync,
  thresholds: SyncThresholds,
): readonly AdminSyncAlert[] {
  const { provider } = sync;
  const alerts: AdminSyncAlert[] = [];
  const add = (type: AdminSyncAlert['type'], value: number, threshold: number, message: string) => {
    if (value < threshold) return;
    const critical = type === 'status_error' || type === 'dead_lettered_envelopes';
    alerts.push({
      workspaceId,
      provider,
      type,
      severity: critical ? 'critical' : 'warning',
      value,
      threshold,
      message,
    });
  };
  const lag = sync.lagSeconds ?? 0;
  const envelopes = sync.deadLetteredEnvelopes ?? 0;
  const operations = sync.deadLetteredOps ?? 0;
  const failedOperations = `${plural(operations, 'operation')} failed for good`;
  add(
    'status_error',
    sync.status === 'error' ? 1 : 0,
    thresholds.statusError,
    sync.lastError ?? (operations > 0 ? failedOperations : 'sync failed'),
  );
  add('lag_seconds', lag, thresholds.lagSeconds, `the oldest envelope waits ${lag} s`);
  add(
    'dead_lettered_envelopes',
    envelopes,
    thresholds.deadLetteredEnvelopes,
    plural(envelopes, 'dead letter'),
  );
  add('dead_lettered_ops', operations, thresholds.deadLetteredOps, failedOperations);
  return alerts;
}

interface Alert {
  readonly workspaceId: string;
  readonly provider?: string;
  readonly type: string;
  readonly severity: 'critical' | 'warning';
}

/** Critical before warning, then by workspace, provider and type. */
export function sortAlerts<T extends Alert>(alerts: readonly T[]): readonly T[] {
  const key = (alert: T) =>
    [alert.severity === 'critical' ? '0' : '1', alert.workspaceId, alert.provider ?? '', alert.type] as const;
  return alerts.toSorted((left, right) => {
    const a = key(left);
    const b = key(right);
    const at = a.findIndex((part, index) => part !== b[index]);
    if (at === -1) return 0;
    return (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
  });
}

export function alertTotals(alerts: readonly Alert[]): AlertTotals {
  const byType: Record<string, number> = {};
  for (const { type } of alerts) byType[type] = (byType[type] ?? 0) + 1;
  const critical = alerts.filter((alert) => alert.severity === 'critical').length;
  return { total: alerts.length, critical, warning: alerts.length - critical, byType };
}
