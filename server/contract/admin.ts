// Administrative routes: counters of all workspaces.
import { type Static, Type } from 'typebox';
import { NextCursor, Timestamp } from './common.ts';
import { IngressStatus, SyncStatus } from './sync.ts';

const count = Type.Integer({ minimum: 0 });
const threshold = Type.Integer({ minimum: 1 });
const share = Type.Number({ minimum: 0, maximum: 1 });

export const BackendStatus = Type.Object(
  {
    backendProfile: Type.String(),
    stateBackend: Type.String(),
    envelopeQueue: Type.String(),
    envelopeQueueDepth: count,
    envelopeQueueCapacity: count,
    writebackQueue: Type.String(),
    writebackQueueDepth: count,
    writebackQueueCapacity: Type.Integer({
      minimum: 0,
      description: '0: unlimited; an operation is part of the write that made it.',
    }),
  },
  { $id: 'BackendStatus' },
);
export type BackendStatus = Static<typeof BackendStatus>;

const AlertTotalsSchema = Type.Object({
  total: count,
  critical: count,
  warning: count,
  byType: Type.Record(Type.String(), count),
});
export type AlertTotals = Static<typeof AlertTotalsSchema>;

export const alertProfiles = ['strict', 'balanced', 'relaxed'] as const;

const excess = {
  severity: Type.Enum(['warning', 'critical']),
  value: Type.Number(),
  threshold: Type.Number(),
  message: Type.String(),
};

export const AdminIngressAlert = Type.Object({
  workspaceId: Type.String(),
  type: Type.Enum(['dead_letters', 'pending_backlog', 'drop_rate', 'stale_events']),
  ...excess,
});
export type AdminIngressAlert = Static<typeof AdminIngressAlert>;

/** The page of workspaces; the totals include all that match the filters. */
const page = {
  workspaceCount: count,
  returnedWorkspaceCount: count,
  workspaceIds: Type.Array(Type.String()),
  nextCursor: NextCursor,
};

export const AdminIngress = Type.Object(
  {
    generatedAt: Timestamp,
    alertProfile: Type.Enum([...alertProfiles]),
    effectiveAlertProfile: Type.Enum([...alertProfiles, 'custom']),
    ...page,
    pendingTotal: count,
    deadLetterTotal: count,
    acceptedTotal: count,
    droppedTotal: count,
    dedupedTotal: count,
    coalescedTotal: count,
    suppressedTotal: count,
    staleTotal: count,
    thresholds: Type.Object({ pending: threshold, deadLetter: threshold, stale: threshold, dropRate: share }),
    alertTotals: AlertTotalsSchema,
    alertsTruncated: Type.Boolean(),
    alerts: Type.Array(AdminIngressAlert),
    workspaces: Type.Record(Type.String(), IngressStatus),
  },
  { $id: 'AdminIngress' },
);
export type AdminIngress = Static<typeof AdminIngress>;

export const AdminSyncAlert = Type.Object({
  workspaceId: Type.String(),
  provider: Type.String(),
  type: Type.Enum(['status_error', 'lag_seconds', 'dead_lettered_envelopes', 'dead_lettered_ops']),
  ...excess,
});
export type AdminSyncAlert = Static<typeof AdminSyncAlert>;

export const AdminSync = Type.Object(
  {
    generatedAt: Timestamp,
    ...page,
    providerStatusCount: count,
    healthyCount: count,
    laggingCount: count,
    errorCount: count,
    pausedCount: count,
    deadLetteredEnvelopesTotal: count,
    deadLetteredOpsTotal: count,
    thresholds: Type.Object({
      statusError: threshold,
      lagSeconds: threshold,
      deadLetteredEnvelopes: threshold,
      deadLetteredOps: threshold,
    }),
    alertTotals: AlertTotalsSchema,
    alertsTruncated: Type.Boolean(),
    alerts: Type.Array(AdminSyncAlert),
    failureCodes: Type.Record(Type.String(), count),
    workspaces: Type.Record(Type.String(), SyncStatus),
  },
  { $id: 'AdminSync' },
);
export type AdminSync = Static<typeof AdminSync>;
