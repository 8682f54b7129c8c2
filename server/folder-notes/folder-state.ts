// What `.mooring/state.json` says. Plain data; docs/agents.md describes it for its readers.
import type { Mirror } from '../contract/workspaces.ts';
import { isWithin } from '../core/paths/path.ts';
import type { MirroredFolder } from '../mirror/manager/port.ts';
import type { EnvelopeHead } from '../store/port/envelopes.ts';
import { listedMax } from './limits.ts';

export interface FolderFacts {
  readonly folder: MirroredFolder;
  readonly workspaceName: string;
  /** The run whose folder it is; null: none. */
  readonly runId: string | null;
  readonly agentUrl: string;
  /** false: the agent is ending. */
  readonly isRunning: boolean;
  readonly writeback: { readonly pending: number; readonly deadLettered: number };
  readonly deadLetters: readonly EnvelopeHead[];
}

export interface FolderState {
  readonly about: string;
  readonly version: 1;
  readonly workspace: { readonly id: string; readonly name: string };
  readonly runId: string | null;
  readonly folder: string;
  /** The directory of the workspace that the folder shows. */
  readonly path: string;
  readonly mode: Mirror['mode'];
  readonly agent: string;
  /** `stopped`: the agent has ended, and nothing is synced. */
  readonly state: Mirror['state'] | 'stopped';
  /** Nothing is pending. A change of the last moments may not be seen yet: `mooring sync --wait` waits for it. */
  readonly synced: boolean;
  readonly files: number;
  readonly pendingToWorkspace: number;
  readonly pendingToFolder: number;
  readonly lastSyncAt: string | null;
  readonly halt: { readonly cause: string; readonly next: string } | null;
  readonly conflicts: Listed<{ readonly path: string; readonly copyPath: string }>;
  readonly problems: Listed<{
    readonly kind: string;
    readonly path: string;
    readonly cause: string;
    readonly next: string;
  }>;
  /** Changes of the workspace that wait for their providers, and that failed there. */
  readonly writeback: FolderFacts['writeback'];
  readonly deadLetters: Listed<{
    readonly id: string;
    readonly provider: string;
    readonly path: string | null;
    readonly error: string | null;
  }>;
}

interface Listed<Item> {
  readonly count: number;
  /** The first of them. */
  readonly listed: readonly Item[];
}

export function folderStateOf(facts: FolderFacts): FolderState {
  const { mirror, conflicts } = facts.folder;
  const { dir, path, mode, files, pendingLocal, pendingRemote, lastSyncAt, halt } = mirror;
  const state = facts.isRunning ? mirror.state : 'stopped';
  // Letters without a path concern the whole workspace.
  const ofFolder = facts.deadLetters.filter((letter) => letter.path === null || isWithin(path, letter.path));
  return {
    about: 'Written by Mooring and replaced at each change. See README.md beside it.',
    version: 1,
    workspace: { id: mirror.workspaceId, name: facts.workspaceName },
    runId: facts.runId,
    folder: dir,
    path,
    mode,
    agent: facts.agentUrl,
    state,
    synced: state === 'idle' && pendingLocal + pendingRemote === 0,
    files,
    pendingToWorkspace: pendingLocal,
    pendingToFolder: pendingRemote,
    lastSyncAt,
    halt: halt === null ? null : { cause: halt.cause, next: halt.next },
    conflicts: first(conflicts, ({ path: at, copyPath }) => ({ path: at, copyPath })),
    problems: {
      ...first(mirror.problemList, ({ kind, path: at, cause, next }) => ({ kind, path: at, cause, next })),
      count: mirror.problems,
    },
    writeback: facts.writeback,
    deadLetters: first(ofFolder, ({ envelopeId, provider, path: at, lastError }) => ({
      id: envelopeId,
      provider,
      path: at,
      error: lastError,
    })),
  };
}

function first<Row, Item>(rows: readonly Row[], itemOf: (row: Row) => Item): Listed<Item> {
  return { count: rows.length, listed: rows.slice(0, listedMax).map(itemOf) };
}
