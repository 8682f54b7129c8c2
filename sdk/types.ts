// All types of the SDK: types of the wire and options of calls.

export type { AdminIngress, AdminSync, BackendStatus } from '../server/contract/admin.ts';
export type {
  AgentClients,
  AgentSetting,
  AgentSettings,
  AgentSettingsBody,
  AgentStatus,
  BackupResult,
  ChangedLists,
  Diagnostics,
  DiagnosticsBundle,
  OpenIdSignIn,
  OpenIdSignInBody,
  OpenIdSignInFinishBody,
  SettleResult,
  SignInChallenge,
  SignInExchangeBody,
  SignInLink,
  SignInMethods,
  SignInRefreshBody,
  SignInSession,
  SignInSessionList,
  SignInSessionsEnded,
  SignInToken,
} from '../server/contract/agent.ts';
export type { ChangedResource, ChangeList, WireChange } from '../server/contract/changes.ts';
export type { Accepted, Semantics } from '../server/contract/common.ts';
export type {
  Conflict,
  ConflictDetail,
  ConflictKind,
  ConflictMerge,
  ConflictResolveBody,
  ConflictResolved,
  ConflictSide,
  ConflictVersion,
} from '../server/contract/conflicts.ts';
export type {
  ControlWorkspace,
  JoinBody,
  JoinedWorkspace,
  MountSession,
  MountSessionBody,
  RefreshedTokens,
} from '../server/contract/control.ts';
export type { EventFrame, EventType, WorkspaceEvent } from '../server/contract/events.ts';
export type { Explanation, MirrorPlan } from '../server/contract/explain.ts';
export type { FileMirror, FileMirrors } from '../server/contract/file-mirrors.ts';
export type {
  BulkRead,
  BulkResult,
  ContentIdentity,
  FileRecord,
  QueryResult,
  Tree,
  TreeEntry,
  WriteQueued,
} from '../server/contract/files.ts';
export type {
  CreateForkBody,
  Fork,
  ForkChange,
  ForkChanges,
  ForkCommitted,
  ForkConflict,
  ForkHandle,
  ForkList,
  ForkRebased,
} from '../server/contract/forks.ts';
export type { FileDiff, HistoryEntry, HistoryPage, Restored, TreeAt } from '../server/contract/history.ts';
export type {
  TarballFetchBody,
  TarballImported,
  TarballJob,
  TarballParameters,
} from '../server/contract/imports.ts';
export type { LogEntry, LogLevel, LogMinutes, LogPage, LogSource } from '../server/contract/logs.ts';
export type { MergeBody, MergeResult, MergeStrategy } from '../server/contract/merge.ts';
export type { NewFolder, NewFolderCount } from '../server/contract/new-folders.ts';
export type {
  Operation,
  OperationBulkBody,
  OperationBulkReplayBody,
  OperationBulkResult,
  OperationPage,
  OperationStep,
  OperationSteps,
  SweepDraftsBody,
  SweptDrafts,
  WritebackAcknowledged,
  WritebackCanceled,
  WritebackItem,
  WritebackPreview,
} from '../server/contract/operations.ts';
export type { PathState, PathStates } from '../server/contract/path-states.ts';
export type { MirrorProof, ProofResult, ProofState } from '../server/contract/proof.ts';
export type {
  Provider,
  ProviderCreateBody,
  ProviderKind,
  ProviderList,
  ProviderRefresh,
  ProviderRemoved,
  ProviderSender,
  ProviderState,
  ProviderTest,
  ProviderUpdateBody,
} from '../server/contract/providers.ts';
export type { Remote, RemoteCreateBody, RemoteResumeBody, RemoteState } from '../server/contract/remotes.ts';
export type {
  CommitRunBody,
  CreateRunBody,
  IgnoredChange,
  IgnoredChanges,
  Run,
  RunCommitted,
  RunConflict,
  RunFolder,
  RunFolderBody,
  RunFolderSyncBody,
  RunFolderSynced,
  RunList,
  RunSummary,
  RunUndone,
  UndoRunBody,
} from '../server/contract/runs.ts';
export type { SearchIndexStatus, SearchItem, SearchMatch, SearchResult } from '../server/contract/search.ts';
export type {
  DurableSubscription,
  SubscriptionBody,
  SubscriptionDelivery,
} from '../server/contract/subscriptions.ts';
export type {
  DeadLetter,
  DeadLetterAcknowledged,
  DeadLetterBulkAckBody,
  DeadLetterBulkReplayBody,
  DeadLetterBulkResult,
  DeadLetterDetail,
  DeadLetterPage,
  DeadLetterPreview,
  DeadLetterReplayBody,
  FailureCause,
  IngressStatus,
  SyncStatus,
} from '../server/contract/sync.ts';
export type {
  CurrentUser,
  Invite,
  InvitedUser,
  InviteExchangeBody,
  InviteJoinBody,
  InviteJoined,
  User,
  UserCreateBody,
  UserRole,
  WorkspaceUser,
  WorkspaceUserAddBody,
} from '../server/contract/users.ts';
export type {
  Webhook,
  WebhookCreateBody,
  WebhookCreated,
  WebhookDeadLetterPage,
} from '../server/contract/webhooks.ts';
export type { MirrorMode, OperationAction, OperationStatus, Origin } from '../server/contract/words.ts';
export type {
  AccessToken,
  AccessTokenCreateBody,
  AccessTokenCreated,
  HaltAnswerBody,
  HaltReason,
  HeldDeletions,
  Mirror,
  MirrorProblem,
  MirrorProblemGroup,
  MirrorProblems,
  MirrorState,
  RulePreview,
  Workspace,
} from '../server/contract/workspaces.ts';

export type * from './options.ts';
