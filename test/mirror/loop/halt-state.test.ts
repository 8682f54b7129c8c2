// Every transition of a mirror's halt, and what of it is stored.
import { describe, expect, it, test } from 'vitest';
import type { PendingDeletion } from '../../../server/mirror/guard/deletion-guard.ts';
import {
  type HaltEvent,
  type HaltPhase,
  HaltState,
  nextHaltPhase,
} from '../../../server/mirror/loop/halt-state.ts';

const pendingDeletions: readonly PendingDeletion[] = [
  { path: '/a', change: 'deletion', sizeBytes: 1, sizeAfterBytes: null },
];
const none: readonly PendingDeletion[] = [];
const running: HaltPhase = { kind: 'running' };
const emptied: HaltPhase = { kind: 'halted', cause: 'emptied', pendingDeletions };
const missing: HaltPhase = { kind: 'halted', cause: 'root_missing', pendingDeletions: none };
const restoring: HaltPhase = { kind: 'restoring', cause: 'emptied', pendingDeletions, isApplied: false };
const restored: HaltPhase = { ...restoring, pendingDeletions: none, isApplied: true };

const haltEmptied: HaltEvent = { kind: 'halted', cause: 'emptied', pendingDeletions };
const haltMissing: HaltEvent = { kind: 'halted', cause: 'root_missing', pendingDeletions: none };

test.each<[HaltPhase, HaltEvent, HaltPhase]>([
  [running, haltEmptied, emptied],
  [running, haltMissing, missing],
  [running, { kind: 'plan_accepted' }, running],
  [running, { kind: 'resumed' }, running],
  [running, { kind: 'restore_applied' }, running],
  [running, { kind: 'session_ended' }, running],
  [running, { kind: 'cleared' }, running],
  [emptied, haltEmptied, emptied],
  [emptied, haltMissing, missing],
  [emptied, { kind: 'plan_accepted' }, { ...emptied, pendingDeletions: none }],
  [emptied, { kind: 'resumed' }, restoring],
  [emptied, { kind: 'restore_applied' }, emptied],
  [emptied, { kind: 'session_ended' }, { ...emptied, pendingDeletions: none }],
  [emptied, { kind: 'cleared' }, running],
  [missing, haltEmptied, emptied],
  [missing, { kind: 'resumed' }, missing],
  [missing, { kind: 'cleared' }, running],
  [restoring, haltMissing, { ...restoring, cause: 'root_missing' }],
  [restoring, haltEmptied, emptied],
  [restoring, { kind: 'plan_accepted' }, { ...restoring, pendingDeletions: none }],
  [restoring, { kind: 'resumed' }, restoring],
  [restoring, { kind: 'restore_applied' }, restored],
  [restoring, { kind: 'session_ended' }, { ...restoring, pendingDeletions: none }],
  [restoring, { kind: 'cleared' }, running],
  [restored, haltEmptied, emptied],
  [restored, haltMissing, missing],
  [restored, { kind: 'resumed' }, { ...restored, isApplied: false }],
  [restored, { kind: 'session_ended' }, { ...restored, isApplied: false }],
  [restored, { kind: 'cleared' }, running],
])('%j, %j', (from, event, to) => {
  expect(nextHaltPhase(from, event)).toEqual(to);
});

describe('the stored cause', () => {
  /** A halt state whose stored row the test reads. */
  const stateOf = (haltedCause: string | null) => {
    const updates: object[] = [];
    const record = {
      now: { haltedCause },
      update: (patch: { haltedCause?: string | null }) => {
        updates.push(patch);
        record.now = { haltedCause: patch.haltedCause ?? null };
        return Promise.resolve();
      },
    };
    return { state: new HaltState(record), updates };
  };

  it('is written when it changes, and only then', async () => {
    const { state, updates } = stateOf(null);
    expect(await state.halt({ cause: 'emptied', pendingDeletions })).toBe(true);
    expect(await state.halt({ cause: 'emptied', pendingDeletions: none })).toBe(false);
    state.resumed();
    state.restoreApplied();
    expect(updates).toEqual([{ haltedCause: 'emptied' }]);
    await state.clear();
    await state.clear();
    expect(updates).toEqual([{ haltedCause: 'emptied' }, { haltedCause: null }]);
  });

  it('is cleared in one update with the new root', async () => {
    const { state, updates } = stateOf('root_replaced');
    await state.clear({ rootDevice: '1', rootInode: '2' });
    expect(updates).toEqual([{ haltedCause: null, rootDevice: '1', rootInode: '2' }]);
  });

  it('survives a restart, without the pending deletions of the former session', () => {
    const { state } = stateOf('mass_delete');
    expect(state.cause).toBe('mass_delete');
    expect(state.guardCause).toBe('mass_delete');
    expect(state.pendingDeletions).toEqual([]);
    expect(state.checkConfirmation(1)).toEqual({ kind: 'changed', deletes: 0 });
  });

  it('that this version does not know is no halt, and is cleared', async () => {
    const { state, updates } = stateOf('cause of another version');
    expect(state.cause).toBeNull();
    await state.clear();
    expect(updates).toEqual([{ haltedCause: null }]);
  });
});

it('while a restore is applied, the guard does not hold the former cause against missing files', async () => {
  const state = new HaltState({ now: { haltedCause: null }, update: () => Promise.resolve() });
  await state.halt({ cause: 'emptied', pendingDeletions });
  expect([state.guardCause, state.isRestoreDue]).toEqual(['emptied', false]);
  state.resumed();
  expect([state.guardCause, state.isRestoreDue]).toEqual(['emptied', true]);
  state.restoreApplied();
  expect([state.cause, state.guardCause, state.isRestoreDue]).toEqual(['emptied', null, false]);
  expect(state.checkConfirmation(1)).toEqual({ kind: 'not_halted' });
});
