// The tray as data: the worst state as icon and text, and the menu items. Pure; tray.ts draws it.
import { plural } from '../server/core/amounts.ts';
import { type AgentView, hostOf, nameOf } from './agent-client.ts';
import type { AgentState } from './ipc-contract.ts';
import { type PauseChoice, pauseChoices } from './pause-choices.ts';

/** Worst first. */
export type TrayState = 'halted' | 'offline' | 'needs-you' | 'syncing' | 'paused' | 'up-to-date';

export type TrayAction =
  | { readonly kind: 'go'; readonly location: string }
  | { readonly kind: 'open-window' }
  | { readonly kind: 'open-folder'; readonly workspaceId: string }
  | { readonly kind: 'copy-address'; readonly url: string }
  | { readonly kind: 'pause-all'; readonly choice: PauseChoice }
  | { readonly kind: 'resume-all' }
  | { readonly kind: 'revive' }
  | { readonly kind: 'quit' };

export type TrayItem =
  | { readonly kind: 'separator' }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction }
  | { readonly kind: 'menu'; readonly label: string; readonly items: readonly TrayItem[] };

export interface TrayInput {
  readonly agent: AgentState;
  /** null: before the first poll, and while the agent is unreachable. */
  readonly view: AgentView | null;
  /** Start of the present scan or sync; null: idle. */
  readonly busySinceMs: number | null;
  readonly nowMs: number;
}

export interface TrayModel {
  readonly state: TrayState;
  /** The text of the state, also the tooltip. */
  readonly line: string;
  readonly items: readonly TrayItem[];
}

/** Short syncs are not shown. */
const busyShownAfterMs = 2_000;
const mirrorsMax = 10;
const separator: TrayItem = { kind: 'separator' };

type Mirrors = AgentView['status']['mirrors'];
type Remotes = AgentView['status']['remotes'];

const busyStates: ReadonlySet<string> = new Set(['scanning', 'listing', 'syncing']);

/** Whether a mirror or a remote scans, lists or syncs. */
export function isBusy({ status: { mirrors, remotes } }: AgentView): boolean {
  return [...mirrors, ...remotes].some(({ state }) => busyStates.has(state));
}

export function trayModel(input: TrayInput): TrayModel {
  const state = trayState(input);
  const line = stateLine(state, input);
  const { agent, view } = input;
  const items: TrayItem[] = [{ kind: 'text', label: line }];
  if (agent.kind === 'failed') items.push(actionItem('Try again', { kind: 'revive' }));
  if (view !== null && agent.kind === 'ready') {
    items.push(...haltActions(view), separator, ...mirrorItems(view), ...remoteItems(view));
    items.push(...attentionSection(view));
    items.push(separator, actionItem('Copy API address', { kind: 'copy-address', url: agent.url }));
    items.push(...folderItems(view), ...pauseItems(view.status.mirrors, input.nowMs));
  }
  items.push(
    separator,
    actionItem('Open Mooring', { kind: 'open-window' }),
    actionItem('Quit…', { kind: 'quit' }),
  );
  return { state, line, items };
}

function trayState({ agent, view, busySinceMs, nowMs }: TrayInput): TrayState {
  const { mirrors = [], remotes = [] } = view?.status ?? {};
  if (agent.kind === 'ready' && [...mirrors, ...remotes].some(({ state }) => state === 'halted'))
    return 'halted';
  if (agent.kind === 'starting') return 'syncing';
  if (agent.kind !== 'ready' || mirrors.some(({ state }) => state === 'error')) return 'offline';
  if (remotes.some(isHoldingChanges)) return 'offline';
  if (view !== null && attentionItems(view).length > 0) return 'needs-you';
  if (busySinceMs !== null && nowMs - busySinceMs >= busyShownAfterMs) return 'syncing';
  return mirrors.some(({ state }) => state === 'paused') ? 'paused' : 'up-to-date';
}

/** A server that is offline is a calm state while no change waits for it. */
function isHoldingChanges({ state, pendingLocal }: Remotes[number]): boolean {
  return state === 'offline' && pendingLocal > 0;
}

function stateLine(state: TrayState, { agent, view }: TrayInput): string {
  const { mirrors = [], remotes = [] } = view?.status ?? {};
  const namesOf = (each: readonly { readonly workspaceId: string }[]) =>
    [...new Set(each.map(({ workspaceId }) => nameOf(view, workspaceId)))].join(', ');
  const namesWith = (mirrorState: Mirrors[number]['state']) =>
    namesOf(mirrors.filter((mirror) => mirror.state === mirrorState));
  switch (state) {
    case 'halted':
      return `Halted: ${namesOf([...mirrors, ...remotes].filter((each) => each.state === 'halted'))}. Nothing was deleted.`;
    case 'offline': {
      if (agent.kind !== 'ready') return agentLine(agent);
      const folders = namesWith('error');
      return `Offline: ${folders === '' ? remotes.filter(isHoldingChanges).map(waitingText).join(', ') : folders}`;
    }
    case 'needs-you':
      return 'Needs attention';
    case 'syncing': {
      if (agent.kind === 'starting') return 'Starting';
      const left = [...mirrors, ...remotes].reduce(
        (sum, { pendingLocal, pendingRemote }) => sum + pendingLocal + pendingRemote,
        0,
      );
      return left === 0 ? 'Syncing' : `Syncing, ${plural(left, 'file')} left`;
    }
    case 'paused':
      return `Paused: ${namesWith('paused')}`;
    case 'up-to-date':
      return mirrors.length + remotes.length === 0 ? 'No mirrors yet' : 'Up to date';
  }
}

/** `hub.example.com, 3 changes wait` */
function waitingText(remote: Remotes[number]): string {
  const { pendingLocal } = remote;
  return `${hostOf(remote)}, ${plural(pendingLocal, 'change')} ${pendingLocal === 1 ? 'waits' : 'wait'}`;
}

function agentLine(agent: Exclude<AgentState, { kind: 'ready' }>): string {
  switch (agent.kind) {
    case 'starting':
      return 'Starting';
    case 'restarting':
      return 'Offline: restarting the agent';
    case 'failed':
      return 'Offline: agent could not be started';
    case 'stopped':
      return 'Offline: agent stopped';
  }
}

function haltActions({ status: { mirrors, remotes } }: AgentView): readonly TrayItem[] {
  const isHalted = ({ state }: { readonly state: string }) => state === 'halted';
  return [
    ...(mirrors.some(isHalted) ? [actionItem('Show files', { kind: 'go', location: 'overview' })] : []),
    ...(remotes.some(isHalted) ? [actionItem('Show remote', { kind: 'go', location: 'remotes' })] : []),
  ];
}

const mirrorLabels: Readonly<Record<Mirrors[number]['state'], string>> = {
  scanning: 'Scanning',
  syncing: 'Syncing',
  idle: 'Up to date',
  paused: 'Paused',
  halted: 'Halted',
  error: 'Offline',
};

function mirrorItems(view: AgentView): readonly TrayItem[] {
  const { mirrors } = view.status;
  const shown = mirrors.slice(0, mirrorsMax).map((mirror): TrayItem => {
    const word = mirror.state === 'idle' && mirror.conflicts > 0 ? 'Conflict' : mirrorLabels[mirror.state];
    const location = `files/?workspace=${encodeURIComponent(mirror.workspaceId)}`;
    return actionItem(`${nameOf(view, mirror.workspaceId)}: ${word}`, { kind: 'go', location });
  });
  const rest = mirrors.length - shown.length;
  return rest > 0 ? [...shown, actionItem(`${rest} more…`, { kind: 'go', location: 'overview' })] : shown;
}

const remoteLabels: Readonly<Record<Remotes[number]['state'], string>> = {
  connecting: 'Connecting',
  listing: 'Comparing',
  syncing: 'Syncing',
  idle: 'Up to date',
  offline: 'Offline',
  unauthorized: 'No access',
  halted: 'Halted',
  paused: 'Paused',
  error: 'Error',
};

function remoteItems(view: AgentView): readonly TrayItem[] {
  const { remotes } = view.status;
  const open = (label: string): TrayItem => actionItem(label, { kind: 'go', location: 'remotes' });
  const shown = remotes.slice(0, mirrorsMax).map((remote) => {
    const word = remote.state === 'idle' && remote.conflicts > 0 ? 'Conflict' : remoteLabels[remote.state];
    return open(`${nameOf(view, remote.workspaceId)} on ${hostOf(remote)}: ${word}`);
  });
  const rest = remotes.length - shown.length;
  return rest > 0 ? [...shown, open(`${rest} more…`)] : shown;
}

/** Remotes that wait for a person, conflicts, dead letters and failed operations, with their numbers. */
function attentionItems({ status, sync, ingress }: AgentView): readonly TrayItem[] {
  const { mirrors, remotes } = status;
  const conflicts = [...mirrors, ...remotes].reduce((sum, each) => sum + each.conflicts, 0);
  const refused = remotes.filter(({ state }) => state === 'unauthorized').length;
  const failed = remotes.filter(({ state }) => state === 'error').length;
  const rows: readonly (readonly [number, string, string])[] = [
    [refused, `${plural(refused, 'remote')} without access`, 'remotes'],
    [failed, plural(failed, 'failed remote'), 'remotes'],
    [conflicts, plural(conflicts, 'conflict'), 'conflicts'],
    [ingress.deadLetterTotal, plural(ingress.deadLetterTotal, 'dead letter'), 'dead-letters'],
    [sync.deadLetteredOpsTotal, plural(sync.deadLetteredOpsTotal, 'failed operation'), 'writeback'],
  ];
  return rows
    .filter(([number]) => number > 0)
    .map(([, label, location]) => actionItem(`${label}…`, { kind: 'go', location }));
}

function attentionSection(view: AgentView): readonly TrayItem[] {
  const items = attentionItems(view);
  return items.length === 0 ? [] : [separator, ...items];
}

function folderItems(view: AgentView): readonly TrayItem[] {
  const folders = view.status.mirrors
    .slice(0, mirrorsMax)
    .map(
      ({ workspaceId }): TrayItem =>
        actionItem(nameOf(view, workspaceId), { kind: 'open-folder', workspaceId }),
    );
  const [first] = view.status.mirrors;
  if (first === undefined) return [];
  if (folders.length > 1) return [{ kind: 'menu', label: 'Open folder', items: folders }];
  return [actionItem('Open folder', { kind: 'open-folder', workspaceId: first.workspaceId })];
}

function pauseItems(mirrors: Mirrors, nowMs: number): readonly TrayItem[] {
  const items: TrayItem[] = [];
  if (mirrors.some(({ state }) => state !== 'paused')) {
    const choices = pauseChoices(nowMs).map(
      (choice): TrayItem => actionItem(choice.label, { kind: 'pause-all', choice }),
    );
    items.push({ kind: 'menu', label: 'Pause all', items: choices });
  }
  if (mirrors.some(({ state }) => state === 'paused'))
    items.push(actionItem('Resume all', { kind: 'resume-all' }));
  return items;
}

function actionItem(label: string, action: TrayAction): TrayItem {
  return { kind: 'action', label, action };
}

/** Desktops with a tray. Elsewhere on Linux (default GNOME) a hidden window could not be reopened. */
const desktopsWithTray = [
  'kde',
  'xfce',
  'x-cinnamon',
  'mate',
  'lxqt',
  'budgie',
  'unity',
  'pantheon',
  'deepin',
];

export function hasTray(platform: NodeJS.Platform, currentDesktop: string | undefined): boolean {
  if (platform !== 'linux') return true;
  const names = (currentDesktop ?? '').toLowerCase().split(':');
  return names.some((name) => desktopsWithTray.includes(name));
}
