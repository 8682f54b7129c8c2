// The client of the v1 API: one group of calls per subject, and the methods of the SDK's specification as delegates. It has no state
// except its options, so one client can be shared.
import { AgentCalls } from './agent.ts';
import { CallGroup } from './call-group.ts';
import { EventCalls, SubscriptionCalls, WebhookCalls } from './events.ts';
import { FileCalls, ImportCalls } from './files.ts';
import { ForkCalls } from './forks.ts';
import { HistoryCalls } from './history.ts';
import { ConflictCalls, MirrorCalls } from './mirrors.ts';
import { OperationCalls, WritebackCalls } from './operations.ts';
import { ProviderCalls } from './providers.ts';
import { RemoteCalls } from './remotes.ts';
import { RunCalls } from './runs.ts';
import { SearchCalls } from './search.ts';
import { SyncCalls } from './sync.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { UserCalls } from './users.ts';
import { ControlCalls, TokenCalls, WorkspaceCalls } from './workspaces.ts';

export interface ClientOptions extends TransportOptions {
  /** Creates the socket of `subscribe` where there is no global WebSocket (before Node 22). */
  readonly webSocket?: (url: string) => WebSocket;
}

export class MooringClient extends CallGroup {
  /** Files of a workspace or a fork. */
  readonly files = new FileCalls(this.transport);
  /** Searches of contents and paths, and their index. */
  readonly searches = new SearchCalls(this.transport);
  /** The event feed. */
  readonly events: EventCalls;
  /** Revisions, diffs and restores. */
  readonly history = new HistoryCalls(this.transport);
  /** Staged changes that are committed atomically. */
  readonly forks = new ForkCalls(this.transport);
  /** Changes that are reviewed, committed wholly or in part, and undone as one. */
  readonly runs = new RunCalls(this.transport);
  /** Imports of GitHub tarballs. */
  readonly imports = new ImportCalls(this.transport);
  /** Operations in all states. */
  readonly operations = new OperationCalls(this.transport);
  /** Pending operations. */
  readonly writeback = new WritebackCalls(this.transport);
  /** External systems that own a top-level directory. */
  readonly providers = new ProviderCalls(this.transport);
  /** Inbound events, sync status, dead letters and the admin API. */
  readonly sync = new SyncCalls(this.transport);
  /** URLs that receive events. */
  readonly webhooks = new WebhookCalls(this.transport);
  /** Durable queues of events for one resource. */
  readonly subscriptions = new SubscriptionCalls(this.transport);
  readonly workspaces = new WorkspaceCalls(this.transport);
  /** Folders that are kept equal to a workspace. */
  readonly mirrors = new MirrorCalls(this.transport);
  /** Workspaces of other servers that a workspace is synced with. */
  readonly remotes = new RemoteCalls(this.transport);
  readonly conflicts = new ConflictCalls(this.transport);
  readonly tokens = new TokenCalls(this.transport);
  /** Users of a hub, their roles and invites. */
  readonly users = new UserCalls(this.transport);
  /** Status, settings, sign-in, backup and diagnostics of the agent. */
  readonly agent = new AgentCalls(this.transport);
  /** Workspaces and tokens for programs that know only the agent's address and a token. */
  readonly control = new ControlCalls(this.transport);

  constructor(options: ClientOptions) {
    super(new Transport(options));
    this.events = new EventCalls(this.transport, options.webSocket);
  }

  /** See `files.tree`. */
  readonly listTree: FileCalls['tree'] = (...input) => this.files.tree(...input);
  /** See `files.read`. */
  readonly readFile: FileCalls['read'] = (...input) => this.files.read(...input);
  /** See `files.write`. */
  readonly writeFile: FileCalls['write'] = (...input) => this.files.write(...input);
  /** See `files.writeMany`. */
  readonly bulkWrite: FileCalls['writeMany'] = (...input) => this.files.writeMany(...input);
  /** See `files.delete`. */
  readonly deleteFile: FileCalls['delete'] = (...input) => this.files.delete(...input);
  /** See `files.query`. */
  readonly queryFiles: FileCalls['query'] = (...input) => this.files.query(...input);
  /** See `searches.items`. */
  readonly search: SearchCalls['items'] = (...input) => this.searches.items(...input);
  /** See `events.subscribe`. */
  readonly subscribe: EventCalls['subscribe'] = (...input) => this.events.subscribe(...input);
}
