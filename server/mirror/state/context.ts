// What the parts of one mirror's loop share. Everything from outside is in here, so that a simulation can put its own clock,
// disk and randomness in its place.
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
import type { WorkspaceService } from '../../workspaces/service.ts';
import type { ProblemTable } from './problems.ts';
import type { MirroredWorkspace } from './scoped-workspace.ts';
import type { MirrorTrees } from './trees.ts';

/** Points at which a test may end the process, to show that any of them leads to the same end. */
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

/** Files beyond this are listed and stay where they are, unless another limit is set (sync-engine rule 20). */
export const fileBytesMaxDefault = 64 * 1024 * 1024;

/** How files travel (sync-engine rule 20). */
export interface TransferLimits {
  /** Files up to this are carried whole, many at once, which is faster. */
  readonly wholeBytesMax: number;
  /** Of a larger one so much at once, at most two pieces at a time. */
  readonly pieceBytes: number;
}

export const transferLimits: TransferLimits = { wholeBytesMax: 1024 * 1024, pieceBytes: 512 * 1024 };

/** What a mirror uses of the store. Content is read and changed through the workspace service. */
export interface MirrorStores extends CommitFeed {
  readonly mirrors: MirrorStore;
  readonly events: EventReader;
  readonly maintenance: Pick<MaintenanceStore, 'epoch'>;
}

export interface MirrorDeps {
  /** Merges of large texts run beside the main thread. */
  readonly compute: Compute;
  readonly store: MirrorStores;
  readonly workspaces: WorkspaceService;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Minutes east of Greenwich of the agent's zone at that moment. */
  readonly offsetMinutes: (atMs: number) => number;
  readonly atKillPoint: (point: KillPoint) => void;
  /** Files beyond this are listed and stay where they are. */
  readonly fileBytesMax: number;
  /** Absent: `transferLimits`. */
  readonly transfer?: TransferLimits;
}

export interface SyncContext extends Omit<MirrorDeps, 'workspaces'> {
  /** As the mirror sees it: paths count from its root. */
  readonly workspaces: MirroredWorkspace;
  readonly rootPath: string;
  readonly mode: MirrorMode;
  readonly mirrorId: string;
  readonly workspaceId: string;
  readonly trees: MirrorTrees;
  readonly folder: Folder;
  readonly transfer: TransferLimits;
  readonly problems: ProblemTable;
  /** Counts one finished step of the running plan, and the bytes that it carried. */
  readonly onActionDone: (path: string, bytes: number) => void;
  /** So many bytes of a large file are across; 0: they were in vain. */
  readonly onBytesTransferred: (path: string, bytes: number) => void;
  /** The disk did not finish it, or did not make it durable: these rows stay open until the folder shows what came of it. */
  readonly onUnconfirmed: (rows: readonly JournalRow[]) => void;
  /** Ends a long plan between two batches. */
  readonly signal: AbortSignal;
}

/** Who a mirror is to the workspace. */
export const folderActor = {
  kind: 'mirror',
  name: 'Folder',
  tokenId: null,
} as const satisfies ChangeFiles['actor'];

/** What the workspace holds at a path right now, read anew. */
export async function refreshWorkspace(context: SyncContext, path: string): Promise<void> {
  const entry = await context.workspaces.getEntry(context.workspaceId, path);
  context.trees.setWorkspace(
    path,
    entry?.type === 'file'
      ? { hash: entry.hash, revision: entry.revision, sizeBytes: entry.sizeBytes }
      : null,
  );
}
