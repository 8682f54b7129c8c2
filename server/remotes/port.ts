// What the agent may ask of its remotes. manager.ts does it.
import { isWithin } from '../core/paths/path.ts';
import type { DiagnosticCheck } from '../platform/observe/diagnostics.ts';
import type { HaltAnswer } from './loop/cycle.ts';
import type { DeletionSide } from './loop/deletion-guard.ts';
import type { PathProblem } from './state/path-problems.ts';
import type { RemoteProgress } from './state/progress.ts';

export type { HaltAnswer } from './loop/cycle.ts';

/** Does one of two directories contain the other? */
export function shareFiles(left: string, right: string): boolean {
  return isWithin(left, right) || isWithin(right, left);
}

export interface NewRemote {
  readonly url: string;
  /** Default: that of the token. */
  readonly remoteWorkspaceId?: string;
  readonly tokenFile: string;
  readonly insecureHttp: boolean;
  /** Default `/`. */
  readonly path?: string;
  readonly ignoreRules?: string;
  readonly upBytesPerSecond?: number | null;
  readonly downBytesPerSecond?: number | null;
}

export interface RemoteView {
  readonly remoteId: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly remoteWorkspaceId: string;
  readonly tokenFile: string;
  readonly insecureHttp: boolean;
  readonly path: string;
  /** In gitignore syntax; empty: none. */
  readonly ignoreRules: string;
  readonly state:
    | 'connecting'
    | 'listing'
    | 'syncing'
    | 'idle'
    | 'offline'
    | 'unauthorized'
    | 'halted'
    | 'paused'
    | 'error';
  /** Why it is offline, unauthorized or in error; null: it is not. */
  readonly cause: string | null;
  readonly files: number;
  /** null: nothing that takes long is being done. */
  readonly progress: RemoteProgress | null;
  readonly pendingLocal: number;
  readonly pendingRemote: number;
  readonly conflicts: number;
  readonly problems: number;
  readonly problemList: readonly (PathProblem & { readonly path: string; readonly retryAtMs: number })[];
  readonly lastSyncAtMs: number | null;
  readonly offlineSinceMs: number | null;
  readonly nextTryAtMs: number | null;
  readonly tokenExpiresAtMs: number | null;
  /** null: it was not connected yet. */
  readonly server: 'mooring' | 'other' | null;
  readonly halt: {
    readonly side: DeletionSide;
    readonly deletions: number;
    readonly files: number;
  } | null;
  readonly upBytesPerSecond: number | null;
  readonly downBytesPerSecond: number | null;
}

export interface RemoteManager {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Of a workspace, or (absent) all. */
  list(workspaceId?: string): Promise<readonly RemoteView[]>;
  /** Rejects with a RemoteNotAddedError: what is wrong, and what to do. */
  add(workspaceId: string, remote: NewRemote): Promise<RemoteView>;
  /** Both workspaces keep their files. null: unknown. */
  remove(workspaceId: string, remoteId: string): Promise<RemoteView | null>;
  removeAll(workspaceId: string): Promise<void>;
  pause(workspaceId: string, remoteId: string): Promise<RemoteView | null>;
  /** `answer`: what becomes of the deletions for which it halted. */
  resume(workspaceId: string, remoteId: string, answer: HaltAnswer | null): Promise<RemoteView | null>;
  /** Connects to each once more, for `doctor`. */
  diagnose(): Promise<readonly DiagnosticCheck[]>;
  /** Waits until what was changed on either side before the call is synced. */
  settle(input: {
    readonly workspaceId?: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): Promise<{ readonly settled: boolean; readonly remotes: readonly RemoteView[] }>;
}

/** A remote cannot be added: 409 `invalid_state` with the reason. */
export class RemoteNotAddedError extends Error {
  override readonly name = 'RemoteNotAddedError';
}
