import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../electron/ipc-contract.ts';
import { type PauseChoice, pauseChoices } from '../../electron/pause-choices.ts';
import { hasTray, isBusy, type TrayInput, type TrayItem, trayModel } from '../../electron/tray-model.ts';
import { mirrorOf, remoteOf, viewOf } from './view-fixture.ts';

const ready: AgentState = { kind: 'ready', url: 'http://127.0.0.1:4417' };
const nowMs = new Date(2026, 10, 20, 12).getTime();

function model(over: Partial<TrayInput>) {
  return trayModel({ agent: ready, view: viewOf([mirrorOf()]), busySinceMs: null, nowMs, ...over });
}

function labels(items: readonly TrayItem[]): readonly string[] {
  return items.map((item) => {
    if (item.kind === 'separator') return '-';
    return item.kind === 'menu' ? `${item.label}: ${labels(item.items).join(', ')}` : item.label;
  });
}

describe('the state in the tray', () => {
  const halted = mirrorOf({ state: 'halted', mirrorId: 'h' });
  const offline = mirrorOf({ state: 'error', mirrorId: 'o' });
  const conflict = mirrorOf({ conflicts: 2, mirrorId: 'c' });
  const syncing = mirrorOf({ state: 'syncing', mirrorId: 's', pendingLocal: 1200, pendingRemote: 34 });
  const paused = mirrorOf({ state: 'paused', mirrorId: 'p' });
  const all = [halted, offline, conflict, syncing, paused, mirrorOf()];
  const busySinceMs = nowMs - 2_000;

  it.each([
    [0, 'halted', 'Halted: desk-1. Nothing was deleted.'],
    [1, 'offline', 'Offline: desk-1'],
    [2, 'needs-you', 'Needs attention'],
    [3, 'syncing', 'Syncing, 1,234 files left'],
    [4, 'paused', 'Paused: desk-1'],
    [5, 'up-to-date', 'Up to date'],
  ] as const)('is the worst one there is (%i)', (first, state, line) => {
    const view = viewOf(all.slice(first));
    const since = isBusy(view) ? busySinceMs : null;
    expect(model({ view, busySinceMs: since })).toMatchObject({ state, line });
  });

  it('shows that something moves only after 2 s, so that single saves do not flicker', () => {
    const view = viewOf([syncing]);
    expect(model({ view, busySinceMs: nowMs - 1_999 }).state).toBe('up-to-date');
    expect(model({ view, busySinceMs: nowMs - 2_000 }).state).toBe('syncing');
  });

  it.each([
    [{ state: 'halted' as const }, 'halted', 'Halted: desk-1. Nothing was deleted.'],
    [{ state: 'offline' as const, pendingLocal: 3 }, 'offline', 'Offline: hub.example.com, 3 changes wait'],
    [{ state: 'unauthorized' as const }, 'needs-you', 'Needs attention'],
    [{ state: 'error' as const }, 'needs-you', 'Needs attention'],
    [{ conflicts: 1 }, 'needs-you', 'Needs attention'],
    [{ state: 'syncing' as const, pendingRemote: 12 }, 'syncing', 'Syncing, 12 files left'],
    // Nothing waits for the server.
    [{ state: 'offline' as const }, 'up-to-date', 'Up to date'],
    [{}, 'up-to-date', 'Up to date'],
  ])('is that of a remote which is %o', (over, state, line) => {
    for (const mirrors of [[mirrorOf()], []]) {
      const view = viewOf(mirrors, { remotes: [remoteOf(over)] });
      expect(model({ view, busySinceMs: isBusy(view) ? busySinceMs : null })).toMatchObject({ state, line });
    }
  });

  it('lists the remotes, and what waits for a person, with the way to them', () => {
    const remotes = [
      remoteOf({ state: 'halted' }),
      remoteOf({ workspaceId: 'ws_2', state: 'unauthorized' }),
      remoteOf({ workspaceId: 'ws_3', state: 'error' }),
    ];
    const { items } = model({ view: viewOf([], { remotes }) });
    const toRemotes = items.flatMap((item) =>
      item.kind === 'action' && item.action.kind === 'go' && item.action.location === 'remotes'
        ? [item.label]
        : [],
    );
    expect(toRemotes).toEqual([
      'Show remote',
      'desk-1 on hub.example.com: Halted',
      'desk-2 on hub.example.com: No access',
      'desk-3 on hub.example.com: Error',
      '1 remote without access…',
      '1 failed remote…',
    ]);
  });

  it('is offline without an agent, and offers another try once it was given up', () => {
    const agent: AgentState = { kind: 'failed', reason: 'x' };
    const failed = model({ agent, view: null });
    expect(failed).toMatchObject({ state: 'offline', line: 'Offline: agent could not be started' });
    expect(labels(failed.items)).toEqual([failed.line, 'Try again', '-', 'Open Mooring', 'Quit…']);
  });
});

describe('the menu of the tray', () => {
  it('holds everything, for desktops that ignore clicks on the icon', () => {
    const view = viewOf([mirrorOf(), mirrorOf({ workspaceId: 'ws_2', state: 'paused', mirrorId: 'm2' })], {
      deadLetters: 3,
      deadLetteredOps: 1,
    });
    expect(labels(model({ view }).items)).toEqual([
      'Needs attention',
      '-',
      'desk-1: Up to date',
      'desk-2: Paused',
      '-',
      '3 dead letters…',
      '1 failed operation…',
      '-',
      'Copy API address',
      'Open folder: desk-1, desk-2',
      'Pause all: 1 hour, Until 18:00, Until tomorrow 08:00, Until I resume',
      'Resume all',
      '-',
      'Open Mooring',
      'Quit…',
    ]);
  });

  it('stays short with many mirrors', () => {
    const mirrors = Array.from({ length: 40 }, (_, n) =>
      mirrorOf({ mirrorId: `m${n}`, workspaceId: `ws_${n}` }),
    );
    expect(labels(model({ view: viewOf(mirrors) }).items)).toContain('30 more…');
  });
});

describe('a pause', () => {
  const at = (hour: number, minute = 0) => new Date(2026, 10, 20, hour, minute).getTime();
  const untils = (fromMs: number) => pauseChoices(fromMs).map(({ untilMs }) => untilMs);

  it('ends in an hour, in the evening, tomorrow morning, or when a person says so', () => {
    const tomorrow = new Date(2026, 10, 21, 8).getTime();
    expect(untils(at(12))).toEqual([at(13), at(18), tomorrow, null]);
    expect(untils(at(17, 1))).toEqual([at(18, 1), tomorrow, null] satisfies PauseChoice['untilMs'][]);
  });
});

it.each([
  ['darwin', undefined, true],
  ['win32', undefined, true],
  ['linux', 'KDE', true],
  ['linux', 'ubuntu:GNOME', false],
  ['linux', 'X-Cinnamon', true],
  ['linux', undefined, false],
] as const)('a tray on %s with %s: %s', (platform, desktop, shown) => {
  expect(hasTray(platform, desktop)).toBe(shown);
});
