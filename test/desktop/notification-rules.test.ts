import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../electron/ipc-contract.ts';
import {
  decideNotifications,
  diskLowBytes,
  emptyMemory,
  type NotificationContext,
  type NotificationMemory,
} from '../../electron/notification-rules.ts';
import type { AccessToken } from '../../server/contract/workspaces.ts';
import { mirrorOf, remoteOf, viewOf } from './view-fixture.ts';

const minuteMs = 60_000;
const ready: AgentState = { kind: 'ready', url: 'http://127.0.0.1:4417' };

/** A person's afternoon: each look tells what is shown and what is taken back. */
function afternoon() {
  let memory: NotificationMemory = emptyMemory;
  let nowMs = 0;
  return (
    afterMs: number,
    over: Partial<NotificationContext>,
  ): { show: readonly string[]; withdraw: readonly string[] } => {
    nowMs += afterMs;
    const seen: NotificationContext = {
      nowMs,
      windowInFront: false,
      agent: ready,
      view: viewOf([mirrorOf()]),
      largestCause: new Map(),
      disks: [],
      tokens: [],
      ...over,
    };
    const decision = decideNotifications(memory, seen);
    memory = decision.memory;
    return { show: decision.show.map(({ title }) => title), withdraw: decision.withdraw };
  };
}

const hourMs = 60 * minuteMs;
const at = (ms: number) => new Date(ms).toISOString();

/** Made a month ago, used a moment ago, ends in 25 hours. */
function tokenOf(over: Partial<AccessToken>): AccessToken {
  return {
    tokenId: 'tok_1',
    workspaceId: 'ws_1',
    agent: 'agent-docs',
    scopes: ['fs:read'],
    createdAt: at(-720 * hourMs),
    expiresAt: at(25 * hourMs),
    lastUsedAt: at(0),
    ...over,
  };
}

const nothing = { show: [], withdraw: [] };
const halted = viewOf([
  mirrorOf({
    state: 'halted',
    halt: {
      reason: 'root_missing',
      cause: 'The folder is gone.',
      next: 'Look.',
      deletes: 0,
      truncations: 0,
      answers: [],
    },
  }),
]);

describe('a person is told', () => {
  it('at once that a mirror halted, once, and it goes when the cause goes', () => {
    const look = afternoon();
    expect(look(0, { view: halted }).show).toEqual(['desk-1 halted. Nothing was deleted.']);
    expect(look(minuteMs, { view: halted })).toEqual(nothing);
    expect(look(minuteMs, {})).toEqual({ show: [], withdraw: ['halted:mir_1'] });
    expect(look(minuteMs, { view: halted }).show).toHaveLength(1);
  });

  it('at once that a remote halted or lost its access, after a minute that it fails, never that its server is away', () => {
    const look = afternoon();
    const of = (over: Parameters<typeof remoteOf>[0]) => ({
      view: viewOf([mirrorOf()], { remotes: [remoteOf(over)] }),
    });
    expect(look(0, of({ state: 'halted' })).show).toEqual([
      'Sync of desk-1 with hub.example.com halted. Nothing was deleted.',
    ]);
    expect(look(1, of({ state: 'unauthorized' }))).toEqual({
      show: ['hub.example.com refuses the token of desk-1'],
      withdraw: ['remote-halted:rem_1'],
    });
    const failed = of({ state: 'error', cause: 'the answer is too long' });
    expect(look(1, failed).show).toEqual([]);
    expect(look(minuteMs, failed).show).toEqual(['desk-1 is not synced with hub.example.com']);
    expect(look(1, of({ state: 'offline', pendingLocal: 3 }))).toEqual({
      show: [],
      withdraw: ['remote-failed:rem_1'],
    });
    expect(look(hourMs, of({ state: 'offline', pendingLocal: 3 }))).toEqual(nothing);
  });

  it('of the conflicts of a mirror and a remote as one number', () => {
    const look = afternoon();
    const view = viewOf([mirrorOf({ conflicts: 2 })], { remotes: [remoteOf({ conflicts: 1 })] });
    look(0, { view });
    expect(look(minuteMs, { view }).show).toEqual(['3 conflicts in desk-1']);
  });

  it('at once that a mirror is proved not to be equal to its workspace', () => {
    const look = afternoon();
    const alarm = { since: '2026-11-20T12:31:07.000Z', files: 2, paths: ['/a', '/b'] };
    const view = viewOf([
      mirrorOf({ proof: { state: 'not-equal', last: null, beforeRestart: null, alarm, rehashedAt: null } }),
    ]);
    expect(look(0, { view }).show).toEqual(['desk-1 is not equal to its folder']);
    expect(look(minuteMs, { view })).toEqual(nothing);
    expect(look(minuteMs, {})).toEqual({ show: [], withdraw: ['not-equal:mir_1'] });
  });

  it('of conflicts that are a minute old, collected by workspace', () => {
    const look = afternoon();
    const view = viewOf([mirrorOf({ conflicts: 2 }), mirrorOf({ mirrorId: 'other', conflicts: 1 })]);
    expect(look(0, { view })).toEqual(nothing);
    expect(look(minuteMs - 1, { view })).toEqual(nothing);
    expect(look(1, { view }).show).toEqual(['3 conflicts in desk-1']);
  });

  it('of a conflict that was resolved within the minute: nothing', () => {
    const look = afternoon();
    look(0, { view: viewOf([mirrorOf({ conflicts: 1 })]) });
    expect(look(minuteMs, {})).toEqual(nothing);
  });

  it('that a provider needs a sign-in, and that a change failed for good', () => {
    const providers = [
      { provider: 'github', status: 'error' as const, failureCodes: { unauthorized: 2 }, deadLetteredOps: 1 },
      { provider: 'linear', status: 'error' as const, failureCodes: { timeout: 2 } },
    ];
    const view = viewOf([mirrorOf()], { providers });
    expect(afternoon()(0, { view }).show).toEqual([
      '1 operation failed permanently',
      'github rejects the credentials',
    ]);
  });

  it('of ten dead letters of one cause at once, of fewer after an hour in which nobody looked', () => {
    const view = viewOf([mirrorOf()], { deadLetters: 12 });
    expect(afternoon()(0, { view, largestCause: new Map([['ws_1', 10]]) }).show).toEqual([
      '12 dead letters in desk-1',
    ]);
    const look = afternoon();
    expect(look(0, { view })).toEqual(nothing);
    expect(look(59 * minuteMs, { view, windowInFront: true })).toEqual(nothing);
    expect(look(59 * minuteMs, { view })).toEqual(nothing);
    expect(look(minuteMs, { view }).show).toEqual(['12 dead letters in desk-1']);
  });

  it('that the disk is nearly full, without flickering at the edge', () => {
    const look = afternoon();
    const disks = (freeBytes: number) => ({ disks: [{ dir: '/data', freeBytes }] });
    expect(look(0, disks(diskLowBytes))).toEqual(nothing);
    expect(look(0, disks(diskLowBytes - 1)).show).toEqual(['Disk almost full']);
    expect(look(0, disks(diskLowBytes + 1))).toEqual(nothing);
    expect(look(0, disks(2 * diskLowBytes))).toEqual({ show: [], withdraw: ['disk:/data'] });
  });

  it('that a token in use ends within a day, once, until there is another one or it has ended', () => {
    const look = afternoon();
    const token = tokenOf({});
    const seen = { tokens: [token] };
    expect(look(0, seen)).toEqual(nothing);
    expect(look(hourMs, seen).show).toEqual(['Token “agent-docs” expires within 24 hours']);
    expect(look(hourMs, seen)).toEqual(nothing);
    const successor = tokenOf({ tokenId: 'tok_2', createdAt: at(2 * hourMs), expiresAt: at(900 * hourMs) });
    expect(look(hourMs, { tokens: [successor, token] })).toEqual({ show: [], withdraw: ['token:tok_1'] });
    expect(look(hourMs, seen).show).toHaveLength(1);
    expect(look(22 * hourMs, seen)).toEqual({ show: [], withdraw: ['token:tok_1'] });
  });

  it('that the agent was given up on', () => {
    const agent: AgentState = { kind: 'failed', reason: 'the disk is full' };
    expect(afternoon()(0, { agent, view: null }).show).toEqual(['Agent could not be started']);
  });
});

describe('nobody is told', () => {
  it('anything while the window is in front, nor of the same cause later', () => {
    const look = afternoon();
    expect(look(0, { view: halted, windowInFront: true })).toEqual(nothing);
    expect(look(minuteMs, { view: halted })).toEqual(nothing);
  });

  it('the same again because the agent was away for a while', () => {
    const look = afternoon();
    look(0, { view: halted });
    expect(look(minuteMs, { view: null, agent: { kind: 'starting' } })).toEqual(nothing);
    expect(look(minuteMs, { view: halted })).toEqual(nothing);
  });

  it('of tokens that end unused, were revoked, or were made for a day at most', () => {
    const endsAt = at(hourMs);
    const { lastUsedAt: _, ...unused } = tokenOf({ expiresAt: endsAt });
    for (const token of [
      unused,
      tokenOf({ expiresAt: endsAt, lastUsedAt: at(-25 * hourMs) }),
      tokenOf({ expiresAt: endsAt, revokedAt: at(-1) }),
      tokenOf({ expiresAt: endsAt, createdAt: at(-23 * hourMs) }),
    ]) {
      expect(afternoon()(0, { tokens: [token] })).toEqual(nothing);
    }
  });

  it('of finished syncs, pauses and single dead letters', () => {
    const look = afternoon();
    for (const state of ['syncing', 'idle', 'paused', 'scanning', 'error'] as const) {
      expect(look(minuteMs, { view: viewOf([mirrorOf({ state })]) })).toEqual(nothing);
    }
    expect(look(minuteMs, { view: viewOf([mirrorOf()], { deadLetters: 1 }) })).toEqual(nothing);
  });
});
