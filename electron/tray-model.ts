// What the tray shows, as data: the worst state wins, the menu says it in one line and lists what can be done. Pure;
// tray.ts draws it.
import type { AgentView } from './agent-client.ts';
import type { AgentState } from './ipc-contract.ts';
import { type PauseChoice, pauseChoices } from './pause-plan.ts';

/** Worst first. */
export type TrayState = 'halted' | 'offline' | 'needs-you' | 'syncing' | 'paused' | 'up-to-date';

export type TrayAction =
  | { readonly kind: 'go'; readonly place: string }
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
  /** What was last seen; null before the first look and while the agent is away. */
  readonly view: AgentView | null;
  /** Since when something moves without a break; null: nothing does. */
  readonly movingSinceMs: number | null;
  readonly nowMs: number;
}

export interface TrayModel {
  readonly state: TrayState;
  /** One line, the tooltip too. */
  readonly line: string;
  readonly items: readonly TrayItem[];
}

/** Single saves do not flicker. */
const movingShownAfterMs = 2_000;
const mirrorsShown = 10;
const separator: TrayItem = { kind: 'separator' };

type Mirrors = AgentView['status']['mirrors'];

/** Whether anything is being carried over right now. */
export function isMoving(view: AgentView): boolean {
  return view.status.mirrors.some(({ state }) => state === 'scanning' || state === 'syncing');
}

export function trayModel(input: TrayInput): TrayModel {
  const state = trayState(input);
  const line = describe(state, input);
  const { agent, view } = input;
  const items: TrayItem[] = [{ kind: 'text', label: line }];
  if (agent.kind === 'failed') items.push(act('Try again', { kind: 'revive' }));
  if (view !== null && agent.kind === 'ready') {
    items.push(...haltActions(view), separator, ...mirrorItems(view), ...needItems(view));
    items.push(separator, act('Copy API address', { kind: 'copy-address', url: agent.url }));
    items.push(...folderItems(view), ...pauseItems(view.status.mirrors, input.nowMs));
  }
  items.push(separator, act('Open Mooring', { kind: 'open-window' }), act('Quit…', { kind: 'quit' }));
  return { state, line, items };
}

function trayState({ agent, view, movingSinceMs, nowMs }: TrayInput): TrayState {
  const mirrors = view?.status.mirrors ?? [];
  if (agent.kind === 'ready' && mirrors.some(({ state }) => state === 'halted')) return 'halted';
  if (agent.kind === 'starting') return 'syncing';
  if (agent.kind !== 'ready' || mirrors.some(({ state }) => state === 'error')) return 'offline';
  if (view !== null && needs(view).length > 0) return 'needs-you';
  if (movingSinceMs !== null && nowMs - movingSinceMs >= movingShownAfterMs) return 'syncing';
  return mirrors.some(({ state }) => state === 'paused') ? 'paused' : 'up-to-date';
}

function describe(state: TrayState, { agent, view }: TrayInput): string {
  const mirrors = view?.status.mirrors ?? [];
  const named = (wanted: Mirrors[number]['state']) =>
    mirrors.filter((mirror) => mirror.state === wanted).map((mirror) => nameOf(view, mirror.workspaceId));
  switch (state) {
    case 'halted':
      return `Halted: ${named('halted').join(', ')}. Nothing was deleted.`;
    case 'offline':
      return agent.kind === 'ready' ? `Offline: ${named('error').join(', ')}` : explain(agent);
    case 'needs-you':
      return 'Needs you';
    case 'syncing': {
      if (agent.kind === 'starting') return 'Starting';
      const left = mirrors.reduce((sum, mirror) => sum + mirror.pendingLocal + mirror.pendingRemote, 0);
      return left === 0 ? 'Syncing' : `Syncing, ${count(left, 'file')} left`;
    }
    case 'paused':
      return `Paused: ${named('paused').join(', ')}`;
    case 'up-to-date':
      return mirrors.length === 0 ? 'Nothing is mirrored yet' : 'Up to date';
  }
}

function explain(agent: Exclude<AgentState, { kind: 'ready' }>): string {
  switch (agent.kind) {
    case 'starting':
      return 'Starting';
    case 'restarting':
      return 'Offline: the agent stopped and is being started again';
    case 'failed':
      return 'Offline: the agent could not be started';
    case 'stopped':
      return 'Offline: the agent is stopped';
  }
}

function haltActions({ status }: AgentView): readonly TrayItem[] {
  return status.mirrors.some(({ state }) => state === 'halted')
    ? [act('Show what would be deleted', { kind: 'go', place: 'overview' })]
    : [];
}

const mirrorWords: Readonly<Record<Mirrors[number]['state'], string>> = {
  scanning: 'Scanning',
  syncing: 'Syncing',
  idle: 'Up to date',
  paused: 'Paused',
  halted: 'Halted',
  error: 'Offline',
};

function mirrorItems(view: AgentView): readonly TrayItem[] {
  const { mirrors } = view.status;
  const shown = mirrors.slice(0, mirrorsShown).map((mirror): TrayItem => {
    const word = mirror.state === 'idle' && mirror.conflicts > 0 ? 'Conflict' : mirrorWords[mirror.state];
    const place = `files/?workspace=${encodeURIComponent(mirror.workspaceId)}`;
    return act(`${nameOf(view, mirror.workspaceId)}: ${word}`, { kind: 'go', place });
  });
  const rest = mirrors.length - shown.length;
  return rest > 0 ? [...shown, act(`${rest} more…`, { kind: 'go', place: 'overview' })] : shown;
}

/** What waits for a person, each with its count. */
function needs({ status, sync, ingress }: AgentView): readonly TrayItem[] {
  const conflicts = status.mirrors.reduce((sum, mirror) => sum + mirror.conflicts, 0);
  const rows: readonly (readonly [number, string, string])[] = [
    [conflicts, count(conflicts, 'conflict'), 'conflicts'],
    [ingress.deadLetterTotal, count(ingress.deadLetterTotal, 'dead letter'), 'dead-letters'],
    [sync.deadLetteredOpsTotal, `${count(sync.deadLetteredOpsTotal, 'change')} failed for good`, 'writeback'],
  ];
  return rows
    .filter(([number]) => number > 0)
    .map(([, label, place]) => act(`${label}…`, { kind: 'go', place }));
}

function needItems(view: AgentView): readonly TrayItem[] {
  const items = needs(view);
  return items.length === 0 ? [] : [separator, ...items];
}

function folderItems(view: AgentView): readonly TrayItem[] {
  const folders = view.status.mirrors
    .slice(0, mirrorsShown)
    .map(({ workspaceId }): TrayItem => act(nameOf(view, workspaceId), { kind: 'open-folder', workspaceId }));
  const [first] = view.status.mirrors;
  if (first === undefined) return [];
  if (folders.length > 1) return [{ kind: 'menu', label: 'Open folder', items: folders }];
  return [act('Open folder', { kind: 'open-folder', workspaceId: first.workspaceId })];
}

function pauseItems(mirrors: Mirrors, nowMs: number): readonly TrayItem[] {
  const items: TrayItem[] = [];
  if (mirrors.some(({ state }) => state !== 'paused')) {
    const choices = pauseChoices(nowMs).map(
      (choice): TrayItem => act(choice.label, { kind: 'pause-all', choice }),
    );
    items.push({ kind: 'menu', label: 'Pause all', items: choices });
  }
  if (mirrors.some(({ state }) => state === 'paused')) items.push(act('Resume all', { kind: 'resume-all' }));
  return items;
}

function act(label: string, action: TrayAction): TrayItem {
  return { kind: 'action', label, action };
}

function nameOf(view: AgentView | null, workspaceId: string): string {
  const known = view?.status.workspaces.find((workspace) => workspace.workspaceId === workspaceId);
  return known?.name ?? workspaceId;
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en-GB')} ${what}${number === 1 ? '' : 's'}`;
}

/** Desktops that show a tray. Elsewhere on Linux (GNOME as it comes) nobody could find a window that is only hidden. */
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
