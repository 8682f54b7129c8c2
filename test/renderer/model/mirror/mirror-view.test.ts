import { describe, expect, it } from 'vitest';
import {
  globalStatus,
  headline,
  mirrorStatus,
  otherMirrors,
  quarterOf,
  worstFirst,
} from '../../../../renderer/model/mirror/mirror-view.ts';
import type { AgentStatus } from '../../../../server/contract/agent.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';

function mirror(change: Partial<Mirror> = {}): Mirror {
  return {
    mirrorId: 'mir_1',
    workspaceId: 'rw_a',
    dir: '/a',
    state: 'idle',
    pausedUntil: null,
    watch: 'events',
    files: 1,
    pendingLocal: 0,
    pendingRemote: 0,
    conflicts: 0,
    problems: 0,
    kept: 0,
    deletesPerMinuteMax: 1_000,
    mode: 'two-way',
    path: '/',
    problemList: [],
    problemGroups: [],
    warnings: [],
    lastSyncAt: null,
    fullScan: { lastAt: null, nextAt: null, cpuMs: null },
    halt: null,
    progress: null,
    proof: { state: 'unproven', last: null, beforeRestart: null, alarm: null, rehashedAt: null },
    ...change,
  };
}

function status(...mirrors: readonly Mirror[]): AgentStatus {
  return {
    version: '0',
    pid: 1,
    startedAt: '2026-11-20T00:00:00Z',
    url: 'http://127.0.0.1:1',
    dataDir: '/d',
    epoch: 'e',
    lastRevision: 'rev_1',
    retention: { days: 30, revisions: 20, bytes: 1024 },
    workspaces: mirrors.length === 0 ? [] : [{ workspaceId: 'rw_a', name: 'a', createdAt: '', files: 1 }],
    mirrors: [...mirrors],
    features: ['folders', 'remotes', 'backup'],
    remotes: [],
  };
}

const noTrouble = { deadLetters: 0, failedOperations: 0 };

describe('a mirror that is proved not to be equal', () => {
  it('says so before it says anything better, in its word and in the title', () => {
    const alarm = { since: '2026-11-20T12:31:07.000Z', files: 1, paths: ['/a'] };
    const different = mirror({
      conflicts: 1,
      problems: 1,
      proof: { state: 'not-equal', last: null, beforeRestart: null, alarm, rehashedAt: null },
    });
    expect(mirrorStatus(different)).toEqual({ kind: 'halted', word: 'Not equal' });
    expect(headline(status(different, mirror()), noTrouble)).toBe(
      '1 folder not equal to the workspace. Both versions are kept.',
    );
    expect(globalStatus([mirror(), different])?.word).toBe('1 not equal');
  });
});

describe('the word of a mirror', () => {
  it.each([
    [mirror(), 'Up to date', 'ok'],
    [mirror({ conflicts: 2 }), 'Conflict', 'warn'],
    [mirror({ state: 'scanning' }), 'Scanning', 'active'],
    [mirror({ state: 'syncing', conflicts: 1 }), 'Syncing', 'active'],
    [mirror({ state: 'paused' }), 'Paused', 'paused'],
    [mirror({ state: 'halted' }), 'Halted', 'halted'],
    [mirror({ state: 'error' }), 'Offline', 'offline'],
  ])('%o reads %s', (given, word, kind) => {
    expect(mirrorStatus(given)).toEqual({ word, kind });
  });
});

describe('the title of the overview', () => {
  it.each([
    [status(), 'No workspaces yet'],
    [{ ...status(mirror()), mirrors: [] }, 'No mirrors yet'],
    [status(mirror(), mirror()), 'Up to date'],
    [status(mirror({ problems: 3 })), 'Up to date, except 3 files not synced'],
    [status(mirror({ state: 'paused' })), 'Mirror paused'],
    [status(mirror({ state: 'paused' }), mirror({ state: 'paused' })), 'All mirrors paused'],
    [status(mirror({ state: 'paused' }), mirror()), '1 mirror paused'],
    [status(mirror({ state: 'scanning' })), 'Scanning one folder'],
    [status(mirror({ state: 'syncing' }), mirror({ state: 'syncing' })), 'Syncing 2 mirrors'],
    [status(mirror({ conflicts: 1 })), '1 conflict. Both versions are kept.'],
    [status(mirror({ state: 'error' }), mirror({ conflicts: 1 })), '1 folder unreachable'],
    [
      status(mirror({ state: 'halted' }), mirror({ state: 'error' })),
      '1 mirror halted. Nothing was deleted.',
    ],
  ])('is the worst that is true: %#', (given, sentence) => {
    expect(headline(given, noTrouble)).toBe(sentence);
  });

  it.each([
    [status(mirror()), { deadLetters: 1, failedOperations: 0 }, '1 dead letter'],
    [status(mirror()), { deadLetters: 12, failedOperations: 3 }, '12 dead letters'],
    [status(mirror()), { deadLetters: 0, failedOperations: 2 }, '2 operations failed'],
    [status(), { deadLetters: 0, failedOperations: 1 }, '1 operation failed'],
    [
      status(mirror({ state: 'halted' })),
      { deadLetters: 1, failedOperations: 1 },
      '1 mirror halted. Nothing was deleted.',
    ],
  ])('does not call it in step while something waits for a person: %#', (given, trouble, sentence) => {
    expect(headline(given, trouble)).toBe(sentence);
  });

  it('says how the others are when they are in step', () => {
    expect(otherMirrors([mirror({ state: 'halted' }), mirror(), mirror()])).toBe(
      'The other 2 mirrors are up to date.',
    );
    expect(otherMirrors([mirror({ state: 'paused' }), mirror()])).toBe('The other mirror is up to date.');
    expect(otherMirrors([mirror(), mirror()])).toBeNull();
    expect(otherMirrors([mirror({ state: 'halted' }), mirror({ conflicts: 1 })])).toBeNull();
  });
});

it('cards stand worst first', () => {
  const states = ['idle', 'paused', 'syncing', 'error', 'halted'] as const;
  const sorted = worstFirst(states.map((state) => mirror({ state })));
  expect(sorted.map((each) => each.state)).toEqual(['halted', 'error', 'syncing', 'paused', 'idle']);
});

it('the top bar counts what is worst', () => {
  expect(globalStatus([])).toBeNull();
  expect(globalStatus([mirror(), mirror({ state: 'halted' })])).toEqual({ kind: 'halted', word: '1 halted' });
  expect(globalStatus([mirror({ conflicts: 2 }), mirror({ conflicts: 1 })])).toEqual({
    kind: 'warn',
    word: '3 conflicts',
  });
  expect(globalStatus([mirror()])).toEqual({ kind: 'ok', word: 'Up to date' });
});

it('long work is spoken of in quarters, and not at all while its end is not known', () => {
  const progress = {
    phase: 'syncing',
    unit: 'files',
    done: 0,
    total: 10,
    bytesDone: 0,
    bytesTotal: null,
    filesPerSecond: null,
    bytesPerSecond: null,
    leftMs: null,
  } as const;
  const at = (done: number, total: number | null = 10) => quarterOf({ ...progress, done, total });
  expect([at(0), at(2), at(3), at(5), at(9), at(10), at(12)]).toEqual([0, 0, 1, 2, 3, 4, 4]);
  expect([quarterOf(null), at(5, null), at(0, 0)]).toEqual([0, 0, 0]);
});
