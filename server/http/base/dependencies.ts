// Dependencies of the HTTP layer. The composition root creates and passes them.

import type { OpenId } from '../../auth/openid.ts';
import type { SignIn } from '../../auth/sign-in.ts';
import type { TokenService } from '../../auth/tokens.ts';
import type { HmacVerifier } from '../../auth/webhook-hmac.ts';
import type { Compute } from '../../compute/port.ts';
import type { Conflicts } from '../../conflicts/conflicts.ts';
import type {
  AgentSettings,
  AgentSettingsBody,
  agentFeatures,
  BackupResult,
  ChangedLists,
  Diagnostics,
  DiagnosticsBundle,
} from '../../contract/agent.ts';
import type { AdminStatus } from '../../inbound/admin-status.ts';
import type { TarballJobs } from '../../inbound/imports/tarball-jobs.ts';
import type { Refresher } from '../../inbound/refresh/refresh.ts';
import type { Ingest } from '../../inbound/service.ts';
import type { MirrorManager } from '../../mirror/manager/port.ts';
import type { DraftSweep } from '../../outbound/operations/draft-sweep.ts';
import type { OperationLog } from '../../outbound/operations/operation-log.ts';
import type { OperationTransitions } from '../../outbound/operations/transitions.ts';
import type { ProviderRegistry } from '../../outbound/providers/registry.ts';
import type { ProviderStatuses } from '../../outbound/providers/status.ts';
import type { Subscriptions } from '../../outbound/webhooks/subscriptions.ts';
import type { Webhooks } from '../../outbound/webhooks/webhooks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AgentConfig } from '../../platform/config/config.ts';
import type { StaticFiles } from '../../platform/files/static-files.ts';
import type { LogFilter, LogMinute, LogRange, LogSlice } from '../../platform/observe/log-search.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type { RemoteManager } from '../../remotes/port.ts';
import type { RunFolders } from '../../runs/run-folders.ts';
import type { RunService } from '../../runs/service.ts';
import type { SearchService } from '../../search/service.ts';
import type { Users } from '../../users/service.ts';
import type { EventFeed } from '../../workspaces/event-feed.ts';
import type { Exporter } from '../../workspaces/export.ts';
import type { ForkService } from '../../workspaces/forks.ts';
import type { WorkspaceHistory } from '../../workspaces/history.ts';
import type { LostTail, Member } from '../../workspaces/model.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';

export type HttpConfig = Pick<
  AgentConfig,
  | 'dataDir'
  | 'allowHosts'
  | 'autoProvision'
  | 'maxBodyBytes'
  | 'metrics'
  | 'historyDays'
  | 'historyRevisionsMin'
  | 'historyBytes'
  | 'publicUrl'
>;

export interface HttpDependencies {
  readonly config: HttpConfig;
  readonly version: string;
  readonly compute: Compute;
  readonly workspaces: WorkspaceService;
  readonly history: WorkspaceHistory;
  readonly forks: ForkService;
  readonly runs: RunService;
  readonly runFolders: RunFolders;
  readonly exporter: Exporter;
  readonly search: SearchService;
  readonly feed: EventFeed;
  readonly operations: OperationLog;
  readonly transitions: OperationTransitions;
  readonly sweepDrafts: DraftSweep;
  readonly webhooks: Webhooks;
  readonly subscriptions: Subscriptions;
  readonly providers: ProviderRegistry;
  readonly providerStatuses: ProviderStatuses;
  readonly refresher: Refresher;
  readonly mirrors: MirrorManager;
  readonly conflicts: Conflicts;
  readonly remotes: RemoteManager;
  readonly ingest: Ingest;
  readonly adminStatus: AdminStatus;
  readonly hmac: HmacVerifier;
  readonly tarballs: TarballJobs;
  readonly tokens: TokenService;
  readonly signIn: SignIn;
  /** null: this server is an agent, which has none. */
  readonly users: Users | null;
  /** null: this server has no OpenID provider. */
  readonly openId: OpenId | null;
  readonly maintenance: AgentMaintenance;
  readonly logs: AgentLogs;
  readonly changedLists: ChangedListsFeed;
  /** The built UI; null with `--no-ui`. */
  readonly ui: StaticFiles | null;
  /** The built documentation, also with `--no-ui`. */
  readonly docs: StaticFiles;
  readonly clock: Clock;
  readonly log: HttpLog;
  readonly metrics: HttpMetrics;
}

/** Agent-wide functions of the composition root. */
export interface AgentMaintenance {
  readonly features: readonly (typeof agentFeatures)[number][];
  /** The processes of a hub; null: this is no hub. */
  members(): Promise<readonly Member[] | null>;
  /** Events that the store of a hub has lost lately, oldest first. */
  lostTails(): Promise<readonly LostTail[]>;
  /** null: ready; otherwise why not. */
  unready(): Promise<string | null>;
  epoch(): Promise<string>;
  lastRevision(): Promise<number>;
  backup(dir: string): Promise<BackupResult>;
  diagnostics(): Promise<Diagnostics>;
  /** Redacted, for support. */
  bundle(): Promise<DiagnosticsBundle>;
  settings(): Promise<AgentSettings>;
  /** Writes `config.json`. Throws `SettingValueError` or `SettingsRefusedError`. */
  changeSettings(body: AgentSettingsBody): Promise<AgentSettings>;
}

/** Which lists of the agent may have changed. On a hub, by this process. */
export interface ChangedListsFeed {
  since(cursor: string | null): ChangedLists;
  /** Resolves soon after a list has changed since the cursor, at once when that is unknown, and when the signal aborts. */
  untilChanged(cursor: string | null, signal: AbortSignal): Promise<void>;
}

/** The entries of the agent's log. */
export interface AgentLogs {
  read(filter: LogFilter, range: LogRange, signal: AbortSignal): Promise<LogSlice>;
  /** The last `minutes` minutes, oldest first. */
  minutes(filter: LogFilter, minutes: number, signal: AbortSignal): Promise<readonly LogMinute[]>;
}

/** The file cannot be changed now; the message is sent to the caller. */
export class SettingsRefusedError extends Error {
  override readonly name = 'SettingsRefusedError';
}

/** A name or value of the caller is invalid; the message is sent to the caller. */
export class SettingValueError extends Error {
  override readonly name = 'SettingValueError';
}

/** `backup` cannot use the directory; the message is sent to the caller. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError';
}

/** Fields never contain query strings, tokens or contents. */
export type HttpLog = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;

export interface HttpMetrics {
  /** `route` is the pattern, never the requested path. */
  requestFinished(method: string, route: string, status: number, seconds: number): void;
  socketsOpen(count: number): void;
  /** Prometheus text. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}
