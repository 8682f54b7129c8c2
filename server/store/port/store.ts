// The store's port: coarse, asynchronous, plain data. Everything above uses these interfaces and never SQLite, so that another
// engine could implement them. The writes of one command are one transaction; a promise resolves after its COMMIT.

import type { SentAccess } from './access.ts';
import type { CommandKind } from './commands.ts';
import type { ContentReader, ContentWriter, EventReader, ForkReader } from './content.ts';
import type { SharedState } from './shared.ts';
import type {
  IngestStore,
  MaintenanceStore,
  MirrorStore,
  OperationStore,
  ProviderStore,
  RemoteStore,
  RunStore,
  SubscriptionStore,
  TokenStore,
  UserStore,
  WebhookStore,
  WorkspaceStore,
  WritebackStore,
} from './subjects.ts';

export type * from './access.ts';
export type * from './content.ts';
export type * from './envelopes.ts';
export {
  ContentTooLargeError,
  CorruptContentError,
  PathTooLongError,
  type StoreFault,
  StoreUnavailableError,
} from './errors.ts';
export type * from './feed.ts';
export type * from './files.ts';
export type * from './forks.ts';
export type * from './outbound.ts';
export type * from './remotes.ts';
export type * from './runs.ts';
export type * from './shared.ts';
export type * from './subjects.ts';
export type * from './users.ts';
export type * from './workspaces.ts';

/** All of the store, for agent/ alone: it gives each service the interfaces that the service needs. */
export interface Store {
  readonly workspaces: WorkspaceStore;
  readonly files: ContentReader;
  readonly content: ContentWriter;
  readonly forks: ForkReader;
  readonly runs: RunStore;
  readonly events: EventReader;
  readonly operations: OperationStore;
  readonly writebacks: WritebackStore;
  readonly providers: ProviderStore;
  readonly webhooks: WebhookStore;
  readonly subscriptions: SubscriptionStore;
  readonly ingest: IngestStore;
  readonly tokens: TokenStore;
  readonly users: UserStore;
  readonly mirrors: MirrorStore;
  readonly remotes: RemoteStore;
  readonly maintenance: MaintenanceStore;
  readonly onCommit: CommitFeed['onCommit'];
  readonly onWrite: WriteFeed['onWrite'];
  readonly changes: ChangeCounters;
  /** null: this process has the store alone, and keeps keys and secrets in files of its own. */
  readonly shared: SharedState | null;
  /** For another thread, which opens it with store/reader. */
  readonly openReader: () => SentAccess;
  close(): Promise<void>;
}

export interface CommitFeed {
  /** Calls the listener after each COMMIT that created events. Returns the unsubscribe function. */
  onCommit(listener: (commit: Commit) => void): () => void;
}

/** A command of this process that was committed. */
export interface Write {
  readonly kind: CommandKind;
  /** null: the command does not name its workspace. */
  readonly workspaceId: string | null;
}

export interface WriteFeed {
  /** Calls the listener after the COMMIT of each command of this process. Returns the unsubscribe function. */
  onWrite(listener: (write: Write) => void): () => void;
}

/** Whether what was read before is still current, known without a read. A counter differs after each commit; null: such a commit is
 * running, so what is read now must not be kept. Keep a result only if the counter is the same before and after its read. */
export interface ChangeCounters {
  /** Of commits that may change what reads of the workspace show, its feed included. */
  of(workspaceId: string): number | null;
  /** Of commits that may change any workspace, and that delete events: retention. */
  ofEvery(): number | null;
}

/** What a commit group touched: enough to wake the feed, which then reads rows. */
export interface Commit {
  /** The workspaces with new events, each with the position of its newest. */
  readonly workspaces: ReadonlyMap<string, number>;
}
