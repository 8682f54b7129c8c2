import { describe, expect, it } from 'vitest';
import type { IngressStatus, ProviderSync } from '../../../server/contract/sync.ts';
import {
  alertTotals,
  ingressAlerts,
  ingressProfiles,
  sortAlerts,
  syncAlerts,
  syncThresholds,
} from '../../../server/core/inbound/alerts.ts';
import { stateOf, syncOf } from '../../../server/core/inbound/sync-status.ts';

const calm: IngressStatus = {
  workspaceId: 'rw_a',
  queueDepth: 0,
  queueCapacity: 10,
  queueUtilization: 0,
  acceptedTotal: 0,
  droppedTotal: 0,
  dedupedTotal: 0,
  coalescedTotal: 0,
  pendingTotal: 0,
  oldestPendingAgeSeconds: 0,
  suppressedTotal: 0,
  staleTotal: 0,
  dedupeRate: 0,
  coalesceRate: 0,
  deadLetterTotal: 0,
  deadLetterByProvider: {},
  ingressByProvider: {},
};

describe('alerts', () => {
  it('tell of each figure from its threshold on, dead letters as critical', () => {
    const loud = {
      ...calm,
      pendingTotal: 100,
      deadLetterTotal: 1,
      staleTotal: 10,
      acceptedTotal: 95,
      droppedTotal: 5,
    };
    const types = (status: IngressStatus, profile: keyof typeof ingressProfiles) =>
      ingressAlerts(status, ingressProfiles[profile]).map(({ type, severity }) => `${type} ${severity}`);
    expect(types(loud, 'balanced')).toEqual([
      'dead_letters critical',
      'pending_backlog warning',
      'drop_rate warning',
      'stale_events warning',
    ]);
    expect(types(loud, 'relaxed')).toEqual([]);
    expect(types(calm, 'strict')).toEqual([]);
    expect(ingressAlerts(calm, { pending: 1, deadLetter: 1, stale: 1, dropRate: 0 })).toEqual([]);
  });

  it('of operations alone say how many, and one is one', () => {
    const failed = { provider: 'git', status: 'error', deadLetteredOps: 1 } as const;
    const words = (sync: ProviderSync) => syncAlerts('rw_a', sync, syncThresholds).map((one) => one.message);
    expect(words(failed)).toEqual(['1 operation failed for good', '1 operation failed for good']);
    expect(words({ ...failed, lastError: 'it answered 400' })[0]).toBe('it answered 400');
    const one = { ...calm, deadLetterTotal: 1, pendingTotal: 1 };
    const loud = { ...ingressProfiles.strict, pending: 1 };
    expect(ingressAlerts(one, loud).map((alert) => alert.message)).toEqual([
      '1 dead letter',
      '1 envelope not applied yet',
    ]);
  });

  it('stand worst first, then by workspace, provider and type', () => {
    const alert = (
      severity: 'critical' | 'warning',
      workspaceId: string,
      provider: string,
      type: string,
    ) => ({
      severity,
      workspaceId,
      provider,
      type,
    });
    const sorted = [
      alert('critical', 'a', 'p', 'x'),
      alert('critical', 'b', 'p', 'x'),
      alert('warning', 'a', 'p', 'x'),
      alert('warning', 'a', 'p', 'y'),
      alert('warning', 'a', 'q', 'a'),
    ];
    expect(sortAlerts(sorted.toReversed())).toEqual(sorted);
    expect(alertTotals(sorted)).toEqual({ total: 5, critical: 2, warning: 3, byType: { x: 3, y: 1, a: 1 } });
  });

  it('tell of a provider what is wrong with it', () => {
    const sync: ProviderSync = {
      provider: 'p',
      status: 'error',
      lagSeconds: 31,
      deadLetteredEnvelopes: 2,
      deadLetteredOps: 3,
    };
    expect(syncAlerts('rw_a', sync, syncThresholds).map(({ type, value }) => [type, value])).toEqual([
      ['status_error', 1],
      ['lag_seconds', 31],
      ['dead_lettered_envelopes', 2],
      ['dead_lettered_ops', 3],
    ]);
  });
});

describe('the state of a provider', () => {
  const figures = {
    provider: 'p',
    registered: true,
    lastEnvelopeId: 'env_1',
    lastReceivedAtMs: 0,
    oldestPendingAtMs: null,
    deadEnvelopes: 0,
    deadOperations: 0,
    failureCodes: {},
    deadLetterError: null,
    callError: null,
    refreshError: null,
    paused: false,
    refreshing: false,
  };
  it.each([
    [{}, 'healthy', null],
    [{ oldestPendingAtMs: 0 }, 'lagging', 'The oldest inbound event has waited for 31 s.'],
    [{ oldestPendingAtMs: 10_000 }, 'healthy', null],
    [{ refreshing: true }, 'syncing', 'A refresh is running.'],
    [{ deadEnvelopes: 1, deadLetterError: 'bad path' }, 'error', '1 inbound event is a dead letter.'],
    [{ deadOperations: 2 }, 'error', '2 operations are dead-lettered.'],
    [{ callError: 'it answered 500' }, 'error', 'The last call failed: it answered 500.'],
    [
      { callError: 'no', refreshError: 'gone', deadOperations: 1, deadEnvelopes: 2 },
      'error',
      'The last call failed: no. The last refresh failed: gone. 1 operation is dead-lettered. 2 inbound events are dead letters.',
    ],
    [{ callError: 'no', paused: true }, 'paused', 'Sending is paused.'],
  ] as const)('%j is %s', (more, state, cause) => {
    expect(stateOf({ ...figures, ...more }, 31_000)).toEqual({ state, cause });
    expect(syncOf({ ...figures, ...more }, 31_000).status).toBe(state);
  });
});
