// The commands that the writer understands: the only signature of a write to the store. Each is plain data, found by its kind, and
// reaches the writer's thread as a message, so no input may contain a function, a class or a handle.
import type { ChangeFiles, ChangeResult } from '../../core/change/change.ts';
import type {
  AcceptInput,
  AcceptResult,
  ApplyInput,
  ApplyResult,
  EnvelopeTexts,
  FailInput,
  PendingEnvelope,
  PreviewInput,
  ReplayInput,
} from './envelopes.ts';
import type {
  AcceptClaimInput,
  AcceptClaimResult,
  AddDeliveriesInput,
  ClaimInput,
  FinishDeliveryInput,
  InsertWebhookResult,
  LeaseDeliveriesInput,
  RenewInput,
  RenewResult,
  ReplayWebhookResult,
  SubscriptionDeliveryRow,
  WebhookDeliveryRow,
  WebhookDeliveryStatus,
  WebhookRow,
} from './feed.ts';
import type { RestoreFiles, RestoreResult } from './files.ts';
import type {
  ChangeForkInput,
  ChangeForkResult,
  CommitForkInput,
  CommitForkResult,
  CreateForkInput,
  CreateForkResult,
  DiscardForkResult,
  ForkCommand,
  RebaseForkResult,
} from './forks.ts';
import type {
  AcknowledgeOperationInput,
  FinishAttemptInput,
  OperationKey,
  OperationRow,
  ProviderPatch,
  ProviderRow,
} from './outbound.ts';
import type { RemoteBaseUpdate, RemoteRow, RemoteSentRow, SaveRemoteBase } from './remotes.ts';
import type { CreateRunInput, CreateRunResult } from './runs.ts';
import type {
  InsertUserResult,
  LinkIdentityInput,
  LinkIdentityResult,
  RemoveRoleResult,
  SetRoleInput,
  SetRoleResult,
  UserRow,
} from './users.ts';
import type { BaseRow, ConflictRow, JournalRow, MirrorRow, ProofRow, TokenRow } from './workspaces.ts';

/** Each kind of command, with its input and its result. */
export interface Commands {
  change_files: {
    /** `remoteAgreement`: of a remote only, recorded in the transaction of the changes. */
    input: ChangeFiles & { readonly atMs: number; readonly remoteAgreement?: RemoteBaseUpdate };
    result: readonly ChangeResult[];
  };
  restore_files: { input: RestoreFiles & { readonly atMs: number }; result: RestoreResult };

  create_fork: { input: CreateForkInput; result: CreateForkResult };
  change_fork: { input: ChangeForkInput; result: ChangeForkResult };
  commit_fork: { input: CommitForkInput; result: CommitForkResult };
  rebase_fork: { input: ForkCommand; result: RebaseForkResult };
  discard_fork: { input: ForkCommand; result: DiscardForkResult };
  create_run: { input: CreateRunInput; result: CreateRunResult };

  accept_envelope: { input: AcceptInput; result: AcceptResult };
  apply_envelopes: {
    input: { workspaceId: string; inputs: readonly ApplyInput[]; atMs: number };
    result: readonly ApplyResult[];
  };
  preview_envelope: { input: PreviewInput; result: ApplyResult };
  read_envelope_texts: { input: { number: number }; result: EnvelopeTexts | null };
  fail_envelope: { input: FailInput; result: boolean };
  replay_envelopes: {
    input: { rows: readonly ReplayInput[]; atMs: number };
    result: readonly PendingEnvelope[];
  };
  acknowledge_envelopes: { input: { numbers: readonly number[]; atMs: number }; result: number };

  create_workspace: { input: { workspaceId: string; name: string; createdAtMs: number }; result: boolean };
  rename_workspace: { input: { workspaceId: string; name: string }; result: boolean };
  set_workspace_deleted: { input: { workspaceId: string; deletedAtMs: number | null }; result: boolean };

  acknowledge_operation: { input: AcknowledgeOperationInput; result: OperationRow | null };
  requeue_operation: {
    input: OperationKey & { atMs: number; send: 'current' | 'original'; correlationId: string };
    result: { row: OperationRow; requeued: boolean } | null;
  };
  cancel_operation: {
    input: OperationKey & { atMs: number; correlationId: string };
    result: { row: OperationRow; canceled: boolean } | null;
  };
  retry_operation_now: {
    input: OperationKey & { atMs: number; correlationId: string };
    result: { row: OperationRow; hastened: boolean } | null;
  };
  lease_writebacks: {
    input: {
      workspaceId: string;
      provider: string;
      owner: string;
      atMs: number;
      leaseMs: number;
      limit: number;
    };
    result: readonly OperationRow[];
  };
  finish_writeback: { input: FinishAttemptInput; result: OperationRow | null };
  retry_writebacks_now: { input: { workspaceId: string; provider: string; atMs: number }; result: null };
  release_writebacks: { input: { owner: string; atMs: number }; result: number };

  insert_provider: { input: ProviderRow; result: boolean };
  update_provider: {
    input: { workspaceId: string; name: string; patch: ProviderPatch };
    result: ProviderRow | null;
  };
  remove_provider: {
    input: { workspaceId: string; name: string; atMs: number; correlationId: string };
    result: { canceled: number } | null;
  };

  insert_webhook: { input: { row: WebhookRow; endedMax: number }; result: InsertWebhookResult };
  remove_webhook: { input: { workspaceId: string; webhookId: string }; result: boolean };
  add_webhook_deliveries: { input: AddDeliveriesInput; result: boolean };
  lease_webhook_deliveries: { input: LeaseDeliveriesInput; result: readonly WebhookDeliveryRow[] };
  finish_webhook_delivery: { input: FinishDeliveryInput; result: WebhookDeliveryStatus | null };
  drop_webhook_deliveries: { input: { workspaceId: string; webhookId: string }; result: number };
  release_webhook_deliveries: { input: { owner: string }; result: number };
  replay_webhook_delivery: {
    input: { workspaceId: string; number: number; webhookIds: readonly string[]; atMs: number };
    result: ReplayWebhookResult;
  };

  renew_subscription: { input: RenewInput; result: RenewResult };
  cancel_subscription: {
    input: { workspaceId: string; owner: string; number: number; atMs: number };
    result: boolean;
  };
  claim_subscription_deliveries: { input: ClaimInput; result: readonly SubscriptionDeliveryRow[] };
  accept_subscription_delivery: { input: AcceptClaimInput; result: AcceptClaimResult };

  insert_token: { input: TokenRow; result: null };
  revoke_token: { input: { workspaceId: string; tokenId: string; atMs: number }; result: boolean };
  note_token_use: { input: { tokenId: string; atMs: number }; result: null };

  insert_user: {
    input: {
      row: Pick<UserRow, 'userId' | 'name' | 'email' | 'isOwner' | 'createdAtMs'>;
      usersMax: number;
    };
    result: InsertUserResult;
  };
  /** Revokes the user's tokens and ends the open invite. The ids of the tokens; null: unknown. */
  set_user_disabled: {
    input: { userId: string; disabledAtMs: number | null; atMs: number };
    result: readonly string[] | null;
  };
  set_user_role: { input: SetRoleInput; result: SetRoleResult };
  remove_user_role: {
    input: { userId: string; workspaceId: string; byUserId: string | null; atMs: number };
    result: RemoveRoleResult;
  };
  insert_invite: {
    input: {
      secretHash: string;
      userId: string;
      /** null: the owner of the hub. */
      createdBy: string | null;
      atMs: number;
      expiresAtMs: number;
    };
    result: boolean;
  };
  use_invite: { input: { secretHash: string; atMs: number }; result: string | null };
  link_identity: { input: LinkIdentityInput; result: LinkIdentityResult };

  insert_mirror: { input: MirrorRow; result: null };
  update_mirror: {
    input: { mirrorId: string; patch: Partial<Omit<MirrorRow, 'mirrorId' | 'workspaceId'>> };
    result: null;
  };
  remove_mirror: { input: { mirrorId: string }; result: null };
  save_base: {
    input: { mirrorId: string; upserts: readonly BaseRow[]; removals: readonly string[] };
    result: null;
  };
  clear_base: { input: { mirrorId: string }; result: null };
  begin_intents: {
    input: { mirrorId: string; rows: readonly Omit<JournalRow, 'id'>[] };
    result: readonly number[];
  };
  end_intents: { input: { mirrorId: string; ids: readonly number[] }; result: null };
  add_conflict: { input: { mirrorId: string; row: ConflictRow }; result: null };
  save_proof: { input: { mirrorId: string; row: ProofRow }; result: null };
  remove_conflict: { input: { mirrorId: string; conflictId: string }; result: null };

  insert_remote: { input: RemoteRow; result: boolean };
  update_remote: {
    input: {
      remoteId: string;
      patch: Partial<Omit<RemoteRow, 'remoteId' | 'workspaceId' | 'url' | 'remoteWorkspaceId'>>;
    };
    result: null;
  };
  remove_remote: { input: { remoteId: string }; result: null };
  save_remote_base: { input: SaveRemoteBase; result: null };
  clear_remote_base: { input: { remoteId: string }; result: null };
  record_remote_sent: { input: { remoteId: string; rows: readonly RemoteSentRow[] }; result: null };
  remove_remote_conflict: { input: { remoteId: string; conflictId: string }; result: null };

  apply_retention: { input: RetentionSlice; result: RetentionResult };
  /** The time that retention may go by now. */
  note_retention_time: { input: { clockMs: number }; result: number };
}

/** Where retention ends. */
export interface RetentionLimits {
  readonly historyBeforeMs: number;
  readonly historyRevisionsMin: number;
  readonly feedBeforeMs: number;
  readonly feedRowsMin: number;
  readonly workspacesBeforeMs: number;
  readonly nowMs: number;
}

/** One bounded step of letting go. `position` is where the step before ended; null at the start of a part. */
export interface RetentionSlice {
  readonly part: RetentionPart;
  readonly position: RetentionPosition | null;
  readonly retention: RetentionLimits;
}

export const retentionParts = [
  'workspaces',
  'forks',
  'history',
  'events',
  'operations',
  'identities',
  'envelopes',
  'watermarks',
  'blobs',
] as const;
export type RetentionPart = (typeof retentionParts)[number];

export interface RetentionPosition {
  readonly workspace: number;
  readonly path: string;
  readonly number: number;
}

export interface RetentionResult {
  /** null: this part is done. */
  readonly next: RetentionPosition | null;
  readonly removed: number;
  /** Hashes whose files nothing names any more. */
  readonly freedFiles: readonly string[];
}

export type CommandKind = keyof Commands;
export type Input<Kind extends CommandKind> = Commands[Kind]['input'];
export type Result<Kind extends CommandKind> = Commands[Kind]['result'];

/** A method of the port that sends one kind of command. `Added` are the fields that the store itself adds. */
export type Sends<Kind extends CommandKind, Added extends keyof Input<Kind> = never> = (
  input: [Added] extends [never] ? Input<Kind> : Omit<Input<Kind>, Added>,
) => Promise<[Result<Kind>] extends [null] ? void : Result<Kind>>;

/** A command with its kind, in the form sent to the writer. */
export type Command = {
  [Kind in CommandKind]: { readonly name: Kind; readonly input: Input<Kind> };
}[CommandKind];

export type Handlers<Kinds extends CommandKind = CommandKind> = {
  readonly [Kind in Kinds]: (input: Input<Kind>) => Result<Kind>;
};

/** What one transaction did to the feed. */
export interface Touched {
  /** The workspaces with new events, each with the position of its newest. */
  readonly workspaces: ReadonlyMap<string, number>;
}
