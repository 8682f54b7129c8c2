// What the agent may ask of its mirrors, and what they need of it. mirror/manager does it.
import type { Compute } from '../../compute/port.ts';
import type { MirrorMode } from '../../contract/words.ts';
import type { Mirror } from '../../contract/workspaces.ts';
import type { Folder, FolderListener, FolderNote } from '../../disk/port/folder.ts';
import type { CloudMachine } from '../../disk/root/cloud-facts.ts';
import { type CloudFolder, cloudFolderText } from '../../disk/root/cloud-folders.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/crypto/ids.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type { ConflictRow, MirrorRow } from '../../store/port/store.ts';
import type { ForkService } from '../../workspaces/forks.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import type { HaltResolution, PendingFile } from '../loop/halt-state.ts';
import type { ProofOutcome, ProofPace } from '../proof/proof-meter.ts';
import type { KillPoint, MirrorStores } from '../state/context.ts';
import type { ProcessorShares } from '../state/processor-shares.ts';
import type { Explained } from '../status/explain.ts';
import type { PathState } from '../status/path-states.ts';
import type { ProblemPage } from '../status/problem-list.ts';
import type { RulePreview } from '../status/rule-preview.ts';
import type { ForkMirrors } from './fork-mirrors.ts';
import type { NewFolders } from './new-folders.ts';
import type { PlanPreview } from './plan-preview.ts';

export type { CopyReport, IgnoredChange, IgnoredChanges } from '../../disk/copy/copied-files.ts';
export type { FolderNote } from '../../disk/port/folder.ts';
export { haltText } from '../guard/halt-causes.ts';
export { workspacePath } from '../state/scoped-workspace.ts';
export type { Explained } from '../status/explain.ts';
export { mostSevere } from '../status/path-states.ts';
export { isProblemCursor } from '../status/problem-list.ts';
// What the API needs of the subfolders, so that nothing else outside mirror/ imports them.

export interface MirrorManager {
  /** Some of its conflicts were resolved. */
  conflictsChanged(mirrorId: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  list(workspaceId?: string): Promise<readonly Mirror[]>;
  /** Refuses with a MirrorRefusedError: not absolute, nested in or around another root, not a directory, locked by another agent; with a
   * CloudFolderError where another sync program manages the folder and this was not accepted. */
  add(workspaceId: string, dir: string, more?: NewMirror): Promise<Mirror>;
  /** Why a folder may be no other program's to fill: its path is not absolute, or it and a mirror, or the data directory, lie within each other. null: it may.
   * Nothing is made. */
  rootRefusal(dir: string): string | null;
  /** The folder of another sync program around or in a folder; null: none is known. It reads the disk. */
  cloudFolderOf(dir: string): Promise<CloudFolder | null>;
  /** Folders that are not mirrored yet. */
  readonly newFolders: Pick<NewFolders, 'look' | 'count'>;
  /** Leaves the folder's files; removes its `.mooring`. null: unknown. */
  remove(workspaceId: string, mirrorId: string): Promise<Mirror | null>;
  /** `untilMs`: when it resumes without a request, also after a restart; null: never. null: unknown. */
  pause(workspaceId: string, mirrorId: string, untilMs?: number | null): Promise<Mirror | null>;
  resume(workspaceId: string, mirrorId: string): Promise<Mirror | null>;
  /** How many deletions a minute it believes from now on; null: the usual number. null: unknown. */
  setDeletionLimit(
    workspaceId: string,
    mirrorId: string,
    deletesPerMinuteMax: number | null,
  ): Promise<Mirror | null>;
  /** What a halted mirror holds back, a page in the order of paths. null: unknown. */
  listPendingDeletions(
    workspaceId: string,
    mirrorId: string,
    page: { after: string; limit: number },
  ): Promise<{ halt: Mirror['halt']; files: readonly PendingFile[] } | null>;
  /** A page of what it does not sync, in the order of causes and paths. `kind` null: of every cause; `cursor` '': from the beginning.
   * null: unknown. */
  problems(
    workspaceId: string,
    mirrorId: string,
    page: { readonly kind: string | null; readonly cursor: string; readonly limit: number },
  ): Promise<(ProblemPage & { readonly count: number }) | null>;
  /** Compares both sides and what they agreed on, hashing everything. null: unknown. */
  prove(
    workspaceId: string,
    mirrorId: string,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<{ outcome: ProofOutcome['kind']; mirror: Mirror } | null>;
  /** What a cycle would do now and why, without doing it. null: unknown. */
  plan(workspaceId: string, mirrorId: string): Promise<{ row: MirrorRow; run: PlanPreview } | null>;
  /** What other ignore rules at the root would change. null: unknown; `asleep`: it does not scan its folder now. */
  previewRules(workspaceId: string, mirrorId: string, text: string): Promise<RulePreview | 'asleep' | null>;
  /** The state of a path of the workspace and its reason, in each mirror that shows it. */
  explain(workspaceId: string, path: string): readonly Explained[];
  /** What each mirror of the workspace has to say of each path, in the order of the paths; nothing of what it does not show. */
  pathStates(workspaceId: string, paths: readonly string[]): Promise<readonly (readonly PathState[])[]>;
  /** The answer to a halt: bring back what is missing, or delete so many files that were shown. null: unknown. */
  resolveHalt(
    workspaceId: string,
    mirrorId: string,
    answer: { kind: 'restore' } | { kind: 'delete'; deletes: number },
  ): Promise<{ answer: HaltResolution; mirror: Mirror } | null>;
  /** Removes all mirrors of a workspace, also those of its forks. */
  removeAll(workspaceId: string): Promise<void>;
  /** No list contains these. */
  readonly ofForks: Pick<ForkMirrors, 'view' | 'settle' | 'copied' | 'copy' | 'changedCopies'>;
  /** The folders of all mirrors, those of forks included. */
  readonly folders: MirroredFolders;
  /** Scans first. Resolves settled=true only when every change made before the call, on either side, was seen and settled. */
  settle(options: { workspaceId?: string; timeoutMs: number; signal?: AbortSignal }): Promise<{
    settled: boolean;
    mirrors: readonly Mirror[];
  }>;
}

/** What is written into the private folders of mirrors (folder-notes/). */
export interface MirroredFolders {
  /** Calls the listener with the mirror whose state may have changed, or that was added. Returns the unsubscribe function. */
  onChange(listener: (mirrorId: string) => void): () => void;
  /** Of one workspace, or of all. */
  mirrorIds(workspaceId?: string): readonly string[];
  /** null: unknown, or removed. */
  get(mirrorId: string): Promise<MirroredFolder | null>;
  /** null: unknown, or removed. */
  dir(mirrorId: string): string | null;
  /** Replaces notes. false: the folder is not there. Rejects where the disk refuses. */
  writeNotes(mirrorId: string, notes: readonly FolderNote[]): Promise<boolean>;
}

export interface MirroredFolder {
  readonly mirror: Mirror;
  /** The fork that it shows; null: the workspace. */
  readonly forkId: string | null;
  /** Oldest first; paths of the folder. */
  readonly conflicts: readonly Pick<ConflictRow, 'conflictId' | 'path' | 'copyPath'>[];
}

/** Folders of runs are below this one of the data directory; no other folder of it is ever mirrored. */
export const runFoldersName = 'runs';

export interface NewMirror {
  readonly mode?: MirrorMode;
  /** A directory of the workspace; default: all of it. */
  readonly path?: string;
  /** Also where another sync program manages the folder. */
  readonly acceptCloudFolder?: boolean;
  /** The fork whose files the folder shows. Such a mirror is internal: no list contains it, and its deletions have no limit. */
  readonly forkId?: string;
}

export class MirrorRefusedError extends Error {
  override readonly name = 'MirrorRefusedError';
}

/** Another sync program manages the folder: it is mirrored only when that is accepted. Nothing was made. */
export class CloudFolderError extends Error {
  override readonly name = 'CloudFolderError';
  readonly folder: CloudFolder;

  constructor(dir: string, folder: CloudFolder) {
    super(cloudFolderText(dir, folder));
    this.folder = folder;
  }
}

export interface MirrorManagerDeps {
  readonly compute: Compute;
  readonly store: MirrorStores;
  readonly workspaces: WorkspaceService;
  readonly forks: ForkService;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Ids;
  /** Named to another agent that wants the same folder, and never mirrored itself. */
  readonly dataDir: string;
  /** false: this server keeps no folders, and `add` refuses. Default: true. */
  readonly keepsFolders?: boolean;
  /** Larger files are listed and stay where they are. Default: 64 MiB. */
  readonly fileBytesMax?: number;
  /** Tests only: ends the process, or throws, at a named point. */
  readonly atKillPoint?: (point: KillPoint) => void;
  readonly openFolder?: (listener: FolderListener) => Folder;
  /** Where other sync programs are looked for. */
  readonly cloudMachine: CloudMachine;
  /** Default: true. */
  readonly provesByItself?: boolean;
  readonly onProofAlarm?: () => void;
  readonly proofPace?: ProofPace;
  /** Other than one percent, for tests. */
  readonly processorShares?: ProcessorShares;
}
