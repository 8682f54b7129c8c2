// Rows and inputs of forks: plain data. Decisions are in core/change/forks.ts.
import type { BaseUpdate, ChangeResult, Refusal } from '../../core/change/change.ts';
import type { ForkChange, SeenChanges } from '../../core/change/forks.ts';
import type { AccessSubject, Actor, FileEntry } from '../../core/entry.ts';

export interface ForkRow {
  readonly forkId: string;
  readonly workspaceId: string;
  readonly proposalId: string;
  /** The fork shows the workspace as it was after this revision. */
  readonly baseRevision: number;
  /** Increases with each staged change. */
  readonly stagedRevision: number;
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The token that created it and its issuers; none: the owner. */
  readonly creatorTokens: readonly string[];
}

export interface StagedCounts {
  readonly writes: number;
  readonly deletes: number;
  /** Of the contents of the writes. */
  readonly bytes: number;
}

export interface CreateForkInput {
  readonly workspaceId: string;
  readonly forkId: string;
  readonly proposalId: string;
  readonly createdBy: string;
  /** Tokens that may change and end the fork whatever it has staged; none: the owner creates it. */
  readonly creatorTokens: readonly string[];
  readonly expiresAtMs: number;
  readonly atMs: number;
}

export type CreateForkResult =
  /** `created` false: the proposal has this one already. */
  | { readonly kind: 'open'; readonly fork: ForkRow; readonly created: boolean }
  /** The proposal belongs to a fork of another workspace. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'workspace_not_found' };

export interface ForkCommand {
  readonly workspaceId: string;
  readonly forkId: string;
  readonly access: AccessSubject | null;
  readonly actor: Actor;
  readonly atMs: number;
}

/** Unknown, committed or discarded; past its time; or it has staged what the caller may not write. */
export type ForkUnusable =
  | { readonly kind: 'missing' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'forbidden' };

export interface ChangeForkInput extends ForkCommand {
  readonly changes: readonly ForkChange[];
  /** true: one refused change refuses all. Absent: refused ones are reported each. */
  readonly atomic?: boolean;
  /** Of a mirror of the fork only. */
  readonly agreement?: BaseUpdate;
  readonly correlationId: string;
}

export type ChangeForkResult =
  | ForkUnusable
  | { readonly kind: 'changed'; readonly results: readonly ChangeResult[] }
  /** The fork would exceed its limits; nothing was staged. */
  | { readonly kind: 'full'; readonly message: string };

export interface StagedChange {
  readonly path: string;
  readonly kind: 'write' | 'delete';
  readonly file: FileEntry | null;
  /** Revision of the workspace's file when the change was staged; 0: there was none. */
  readonly baseRevision: number;
  /** The workspace's current file. */
  readonly live: FileEntry | null;
  /** The workspace's file has changed since, and is not what the fork would make of it. */
  readonly conflicts: boolean;
}

export interface CommitForkInput extends ForkCommand {
  /** Absent: all staged changes. Else the fork stays open with the others, on the newest revision. */
  readonly paths?: readonly string[];
  /** Absent: the commit contains everything that is staged. */
  readonly seen?: SeenChanges;
  readonly correlationId: string;
}

export type CommitForkResult =
  | ForkUnusable
  | {
      readonly kind: 'committed';
      /** The newest revision after the commit. */
      readonly revision: number;
      readonly writes: number;
      readonly deletes: number;
      /** Of its revisions in the history, where it made any. */
      readonly batch: number;
      /** false: other staged changes are left. */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'conflicts'; readonly revision: number; readonly conflicts: readonly StagedChange[] }
  /** Nothing is committed: changes were staged that the committer has not seen. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export type RebaseForkResult =
  | ForkUnusable
  | {
      readonly kind: 'rebased';
      readonly baseRevision: number;
      readonly clean: number;
      readonly conflicts: readonly StagedChange[];
    };

/** `missing`: there is none that is open. One past its time can be discarded, too. */
export type DiscardForkResult = { readonly kind: 'discarded' | 'missing' | 'forbidden' };
