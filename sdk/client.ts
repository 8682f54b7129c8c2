// The client of the v1 API: one group of calls per subject, and the methods of the SDK's specification as delegates. It has no state
// except its options, so one client can be shared.
import { AgentCalls } from './agent.ts';
import { ConflictCalls } from './conflicts.ts';
import { ControlCalls } from './control.ts';
import { EventCalls } from './events.ts';
import { FileCalls } from './files.ts';
import { ForkCalls } from './forks.ts';
import { HistoryCalls } from './history.ts';
import { ImportCalls } from './imports.ts';
import type { SubscribeOptions, Subscription } from './live.ts';
import { MirrorCalls } from './mirrors.ts';
import { OperationCalls } from './operations.ts';
import { ProviderCalls } from './providers.ts';
import { SubscriptionCalls } from './subscriptions.ts';
import { SyncCalls } from './sync.ts';
import { TokenCalls } from './tokens.ts';
import { Transport, type TransportOptions } from './transport.ts';
import type {
  BulkFileInput,
  BulkResult,
  DeleteOptions,
  FileRecord,
  InForkOptions,
  QueryOptions,
  QueryResult,
  ReadOptions,
  Tree,
  TreeOptions,
  WriteOptions,
  WriteQueued,
} from './types.ts';
import { WebhookCalls } from './webhooks.ts';
import { WorkspaceCalls } from './workspaces.ts';
import { WritebackCalls } from './writeback.ts';

export interface ClientOptions extends TransportOptions {
  /** Creates the socket of `subscribe` where there is no global WebSocket (before Node 22). */
  readonly webSocket?: (url: string) => WebSocket;
}

export class MooringClient {
  /** Files of a workspace or a fork. */
  readonly files: FileCalls;
  /** The event feed. */
  readonly events: EventCalls;
  /** Revisions, diffs and restores. */
  readonly history: HistoryCalls;
  /** Staged changes that are committed atomically. */
  readonly forks: ForkCalls;
  /** Imports of GitHub tarballs. */
  readonly imports: ImportCalls;
  /** Operations in all states. */
  readonly operations: OperationCalls;
  /** Pending operations. */
  readonly writeback: WritebackCalls;
  /** External systems that own a top-level directory. */
  readonly providers: ProviderCalls;
  /** Inbound events, sync status, dead letters and the admin API. */
  readonly sync: SyncCalls;
  /** URLs that receive events. */
  readonly webhooks: WebhookCalls;
  /** Durable queues of events for one resource. */
  readonly subscriptions: SubscriptionCalls;
  readonly workspaces: WorkspaceCalls;
  /** Folders that are kept equal to a workspace. */
  readonly mirrors: MirrorCalls;
  readonly conflicts: ConflictCalls;
  readonly tokens: TokenCalls;
  /** Status, settings, sign-in, backup and diagnostics of the agent. */
  readonly agent: AgentCalls;
  /** Workspaces and tokens for programs that know only the agent's address and a token. */
  readonly control: ControlCalls;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.files = new FileCalls(transport);
    this.events = new EventCalls(transport, options.webSocket);
    this.history = new HistoryCalls(transport);
    this.forks = new ForkCalls(transport);
    this.imports = new ImportCalls(transport);
    this.operations = new OperationCalls(transport);
    this.writeback = new WritebackCalls(transport);
    this.providers = new ProviderCalls(transport);
    this.sync = new SyncCalls(transport);
    this.webhooks = new WebhookCalls(transport);
    this.subscriptions = new SubscriptionCalls(transport);
    this.workspaces = new WorkspaceCalls(transport);
    this.mirrors = new MirrorCalls(transport);
    this.conflicts = new ConflictCalls(transport);
    this.tokens = new TokenCalls(transport);
    this.agent = new AgentCalls(transport);
    this.control = new ControlCalls(transport);
  }

  /** See `files.tree`. */
  async listTree(workspaceId: string, options?: TreeOptions): Promise<Tree> {
    return await this.files.tree(workspaceId, options);
  }

  /** See `files.read`. */
  async readFile(workspaceId: string, path: string, options?: ReadOptions): Promise<FileRecord> {
    return await this.files.read(workspaceId, path, options);
  }

  /** See `files.write`. */
  async writeFile(
    workspaceId: string,
    path: string,
    content: string | Uint8Array,
    options?: WriteOptions,
  ): Promise<WriteQueued> {
    return await this.files.write(workspaceId, path, content, options);
  }

  /** See `files.writeMany`. */
  async bulkWrite(
    workspaceId: string,
    files: readonly BulkFileInput[],
    options?: InForkOptions,
  ): Promise<BulkResult> {
    return await this.files.writeMany(workspaceId, files, options);
  }

  /** See `files.delete`. */
  async deleteFile(workspaceId: string, path: string, options?: DeleteOptions): Promise<WriteQueued> {
    return await this.files.delete(workspaceId, path, options);
  }

  /** See `files.query`. */
  async queryFiles(workspaceId: string, options?: QueryOptions): Promise<QueryResult> {
    return await this.files.query(workspaceId, options);
  }

  /** See `events.subscribe`. */
  subscribe(workspaceId: string, options: SubscribeOptions): Subscription {
    return this.events.subscribe(workspaceId, options);
  }
}
