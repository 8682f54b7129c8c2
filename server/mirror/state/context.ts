// Shared context of one mirror's loop. All external dependencies are here, so that a simulation can replace clock, disk and
// randomness.
import type { Compute } from '../../compute/port.ts';
import type { MirrorMode } from '../../contract/words.ts';
import type { ChangeFiles } from '../../core/change/change.ts';
import type { Folder } from '../../disk/port/folder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/crypto/ids.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type {
  CommitFeed,
  EventReader,
  JournalRow,
  MaintenanceStore,
  MirrorStore,
} from '../../store/port/store.ts';
import type { ForkService } from '../../workspaces/forks.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import type { ProblemTable } from './problems.ts';
import type { MirrorChangeResult, MirroredWorkspace } from './scoped-workspace.ts';
import type { MirrorTrees } from './trees.ts';
import type { WorkspaceFeed } from './workspace-feed.ts';

/** Points at which a test may kill the process. */
export const killPoints = [
  'upload.read',
  'upload.mid-transfer',
  'upload.committed',
  'merge.committed',
  'download.intended',
  'download.mid-transfer',
  'download.applied',
  'download.agreed',
] as const;
export type KillPoint = (typeof killPoints)[number];

/** Default limit: larger files are listed and not synced (docs/sync-rules.md#20). */
export const fileBytesMaxDefault = 64 * 1024 * 1024;

/** Limits of transfers (docs/sync-rules.md#20). */
export interface TransferLimits {
  /** Smaller files are transferred whole, many at once, which is faster. */
  readonly wholeBytesMax: number;
  /** Chunk size of larger files; at most two chunks are in flight. */
  readonly chunkBytes: number;
}

export const transferLimits: TransferLimits = { wholeBytesMax: 1024 * 1024, chunkBytes: 512 * 1024 };

/** Limits of what is planned at once. */
export interface PlanLimits {
  /** Paths of one plan: 40 ms of the main thread. */
  readonly partPathsMax: number;
  /** Paths in memory until they are planned. What is beyond is looked for again. */
  readonly gatheredPathsMax: number;
}

export const planLimits: PlanLimits = { partPathsMax: 4_096, gatheredPathsMax: 65_536 };

/** What a mirror uses of the store. Content is read and changed through the workspace service. */
export interface MirrorStores extends CommitFeed {
  readonly mirrors: MirrorStore;
  readonly events: EventReader;
  readonly maintenance: Pick<MaintenanceStore, 'epoch'>;
}

export interface MirrorDeps {
  readonly forks: ForkService;
  /** Merges of large texts run in a worker thread. */
  readonly compute: Compute;
  readonly store: MirrorStores;
  readonly workspaces: WorkspaceService;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Author of the changes from the folder. */
  readonly userName: string;
  /** Offset of the agent's time zone from UTC at that time, in minutes. */
  readonly offsetMinutes: (atMs: number) => number;
  readonly atKillPoint: (point: KillPoint) => void;
  /** Larger files are listed and not synced. */
  readonly fileBytesMax: number;
  /** Absent: `transferLimits`. */
  readonly transfer?: TransferLimits;
  /** Absent: `planLimits`. */
  readonly planned?: PlanLimits;
}

export interface SyncContext extends Omit<MirrorDeps, 'workspaces' | 'forks'> {
  readonly feed: WorkspaceFeed;
  /** Its paths are relative to the root of the mirror. */
  readonly workspaces: MirroredWorkspace;
  readonly rootPath: string;
  readonly mode: MirrorMode;
  readonly mirrorId: string;
  readonly workspaceId: string;
  readonly trees: MirrorTrees;
  readonly folder: Folder;
  readonly transfer: TransferLimits;
  readonly planned: PlanLimits;
  readonly problems: ProblemTable;
  /** One action of the running plan is done. */
  readonly onActionDone: (path: string, bytes: number) => void;
  /** Bytes of a large file transferred so far; 0: the transfer failed. */
  readonly onBytesTransferred: (path: string, bytes: number) => void;
  /** The disk did not finish or sync these changes: their journal rows stay open until the folder shows the result. */
  readonly onUnconfirmed: (rows: readonly JournalRow[]) => void;
  /** Ends a long plan between two batches. */
  readonly signal: AbortSignal;
}

/** Changes the workspace in the name of the user whose folder it is. */
export function changeWorkspace(
  { workspaces, workspaceId, ids, userName }: SyncContext,
  command: Pick<ChangeFiles, 'changes' | 'atomic' | 'makesOperations' | 'agreement'>,
): Promise<readonly MirrorChangeResult[]> {
  return workspaces.change({
    ...command,
    workspaceId,
    actor: { kind: 'mirror', name: userName, tokenId: null },
    origin: 'agent_write',
    access: null,
    correlationId: ids.correlationId(),
  });
}

/** Reads the current state of a path from the workspace. */
export async function refreshWorkspace(context: SyncContext, path: string): Promise<void> {
  const entry = await context.workspaces.getEntry(context.workspaceId, path);
  context.trees.setWorkspace(
    path,
    entry?.type === 'file'
      ? { hash: entry.hash, revision: entry.revision, sizeBytes: entry.sizeBytes }
      : null,
  );
}
