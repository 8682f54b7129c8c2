// A look at an agent with one calm mirror; a test changes what it is about.
import type { AgentView } from '../../electron/agent-client.ts';

type Mirror = AgentView['status']['mirrors'][number];
type Remote = AgentView['status']['remotes'][number];
type ProviderSync = AgentView['sync']['workspaces'][string]['providers'][number];

export function mirrorOf(over: Partial<Mirror> = {}): Mirror {
  return {
    mirrorId: 'mir_1',
    workspaceId: 'ws_1',
    dir: '/folders/home',
    state: 'idle',
    watch: 'events',
    files: 3,
    pendingLocal: 0,
    pendingRemote: 0,
    conflicts: 0,
    problems: 0,
    problemList: [],
    problemGroups: [],
    warnings: [],
    lastSyncAt: null,
    fullScan: { lastAt: null, nextAt: null, cpuMs: null },
    halt: null,
    progress: null,
    proof: { state: 'unproven', last: null, beforeRestart: null, alarm: null, rehashedAt: null },
    ...over,
  } as Mirror;
}

export function remoteOf(over: Partial<Remote> = {}): Remote {
  return {
    remoteId: 'rem_1',
    workspaceId: 'ws_1',
    url: 'https://hub.example.com',
    remoteWorkspaceId: 'rw_1',
    tokenFile: '/keys/hub-token',
    state: 'idle',
    cause: null,
    halt: null,
    pendingLocal: 0,
    pendingRemote: 0,
    conflicts: 0,
    ...over,
  } as Remote;
}

export function viewOf(
  mirrors: readonly Mirror[],
  more: {
    readonly remotes?: readonly Remote[];
    readonly providers?: readonly ProviderSync[];
    readonly deadLetters?: number;
    readonly deadLetteredOps?: number;
  } = {},
): AgentView {
  const { remotes = [], providers = [], deadLetters = 0, deadLetteredOps = 0 } = more;
  const workspaceIds = [...new Set([...mirrors, ...remotes].map(({ workspaceId }) => workspaceId))];
  // Only what the shell reads of each answer.
  const status = {
    version: '1',
    pid: 1,
    startedAt: '2026-11-20T12:00:00Z',
    url: 'http://127.0.0.1:4417',
    dataDir: '/data',
    epoch: 'e',
    lastRevision: 'rev_1',
    features: ['folders', 'remotes', 'backup'],
    workspaces: workspaceIds.map((workspaceId) => ({
      workspaceId,
      name: workspaceId.replace('ws_', 'desk-'),
      createdAt: '2026-11-20T12:00:00Z',
      files: 3,
    })),
    mirrors: [...mirrors],
    remotes: [...remotes],
  } as unknown as AgentView['status'];
  const sync = {
    deadLetteredOpsTotal: deadLetteredOps,
    workspaces: { ws_1: { workspaceId: 'ws_1', providers } },
  } as unknown as AgentView['sync'];
  const ingress = {
    deadLetterTotal: deadLetters,
    workspaces: { ws_1: { workspaceId: 'ws_1', deadLetterTotal: deadLetters } },
  } as unknown as AgentView['ingress'];
  return { status, sync, ingress };
}
