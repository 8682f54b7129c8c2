// What the parts of one remote share: its row, both sides, the differences, and the paths to decide on.
import type { Compute } from '../../compute/port.ts';
import type { ChangeFiles, ChangeResult } from '../../core/change/change.ts';
import { isWithin } from '../../core/paths/path.ts';
import { IgnoreRules } from '../../disk/names/ignore.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/crypto/ids.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type {
  CommitFeed,
  EventReader,
  MaintenanceStore,
  ProviderStore,
  RemoteBaseUpdate,
  RemoteRow,
  RemoteStore,
} from '../../store/port/store.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import type { RemoteServer } from '../client/remote-server.ts';
import type { LargeTransfers } from '../transfer/large-transfers.ts';
import type { PartFiles } from '../transfer/part-files.ts';
import type { Differences } from './differences.ts';
import type { PathProblems } from './path-problems.ts';
import type { Progress } from './progress.ts';

/** Points at which a test may end the process. */
export type RemoteKillPoint =
  | 'remote.sent'
  | 'remote.answered'
  | 'remote.agreed'
  | 'remote.fetched'
  | 'remote.piece'
  | 'remote.applied';

/** What a remote uses of the store. Content is read and changed through the workspace service. */
export interface RemoteStores extends CommitFeed {
  readonly remotes: RemoteStore;
  readonly events: EventReader;
  readonly providers: Pick<ProviderStore, 'list'>;
  readonly maintenance: Pick<MaintenanceStore, 'epoch'>;
}

export interface RemoteDeps {
  readonly store: RemoteStores;
  readonly workspaces: WorkspaceService;
  /** Merges of large texts run in a worker thread. */
  readonly compute: Compute;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Offset of the agent's time zone from UTC at that time, in minutes. */
  readonly offsetMinutes: (atMs: number) => number;
  readonly atKillPoint: (point: RemoteKillPoint) => void;
  /** Larger files are listed and not synced. */
  readonly fileBytesMax: number;
  /** Larger contents are transferred beside the loop. */
  readonly wholeBytesMax: number;
  /** What has arrived of large files. */
  readonly parts: PartFiles;
}

/** What a remote knows without a connection. */
export interface LocalContext extends RemoteDeps {
  readonly row: RemoteRow;
  readonly differences: Differences;
  /** Paths to decide on. */
  readonly dirty: Set<string>;
  /** Paths that wait for others: decided on again with whatever is marked next. */
  readonly blocked: Set<string>;
  readonly problems: PathProblems;
  /** Of large files. What is being transferred is not decided on. */
  readonly transfers: LargeTransfers;
  readonly progress: Progress;
  /** Is the path synced, by the directory and the rules of the remote? */
  readonly covers: (path: string) => boolean;
  /** Ends with the connection, or with the agent. */
  readonly signal: AbortSignal;
}

export interface RemoteContext extends LocalContext {
  readonly server: RemoteServer;
  /** `other`: not a server of this project; differences are listed in docs/remotes.md. */
  readonly kind: 'mooring' | 'other';
  /** Rejects where the server is no longer the one of which the revisions are known. */
  readonly confirm: () => Promise<void>;
}

/** Changes the local workspace in the name of the other server. */
export function changeLocal(
  { workspaces, row, ids }: RemoteContext,
  command: Pick<ChangeFiles, 'changes' | 'atomic'> & { readonly remoteAgreement: RemoteBaseUpdate },
): Promise<readonly ChangeResult[]> {
  return workspaces.change({
    ...command,
    // The server on the other side does the writeback, once.
    makesOperations: false,
    workspaceId: row.workspaceId,
    actor: { kind: 'remote', name: new URL(row.url).host, tokenId: null },
    origin: 'agent_write',
    access: null,
    correlationId: ids.correlationId(),
  });
}

/** Which paths a remote syncs: those below its directory that its rules do not ignore. The rules of a folder, `.mooringignore`, are its own. */
export function coverageOf({
  rootPath,
  ignoreRules,
}: Pick<RemoteRow, 'rootPath' | 'ignoreRules'>): (path: string) => boolean {
  const isBelow = (path: string): boolean => rootPath === '/' || isWithin(rootPath, path);
  if (ignoreRules === '') return isBelow;
  const rules = remoteRules(rootPath, ignoreRules);
  return (path) => isBelow(path) && !rules.ignores(path);
}

/** In gitignore syntax, relative to the directory of the remote. */
export function remoteRules(rootPath: string, text: string): IgnoreRules {
  const rules = new IgnoreRules({ hasBuiltIn: false });
  rules.set(rootPath, text);
  return rules;
}
