// Rows and inputs of runs: plain data. The changes of a run are staged in its fork.
import type { CreateForkInput, CreateForkResult } from './forks.ts';

export type RunState = 'open' | 'committed' | 'discarded' | 'undone';

/** A commit of all or some changes of a run: one change of the workspace. */
export interface RunCommit {
  /** Of its revisions in the history. */
  readonly batch: number;
  readonly atMs: number;
  readonly writes: number;
  readonly deletes: number;
}

export interface RunRow {
  readonly runId: string;
  /** Its position in lists; newer runs have higher ones. */
  readonly number: number;
  readonly workspaceId: string;
  readonly forkId: string;
  readonly name: string;
  /** The directory of the workspace that the run works on. */
  readonly rootPath: string;
  /** The program and its arguments; empty: not known. */
  readonly command: readonly string[];
  readonly state: RunState;
  readonly createdBy: string;
  /** The token that created it and its issuers; none: the owner. */
  readonly creatorTokens: readonly string[];
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  /** Oldest first. */
  readonly commits: readonly RunCommit[];
}

export interface CreateRunInput {
  readonly workspaceId: string;
  readonly fork: CreateForkInput;
  readonly runId: string;
  readonly name: string;
  readonly rootPath: string;
  readonly command: readonly string[];
}

/** The run with its fork, or why there is none; nothing was stored then. */
export type CreateRunResult =
  | { readonly kind: 'open'; readonly run: RunRow }
  | Exclude<CreateForkResult, { readonly kind: 'open' }>;
