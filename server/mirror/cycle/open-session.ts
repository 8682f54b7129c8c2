// Builds a sync session of an opened folder: its trees, context and guard. It reads nothing.
import type { Folder, NameRules } from '../../disk/port/folder.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import { UnconfirmedWrites } from '../actions/unconfirmed-writes.ts';
import { DeletionGuard } from '../guard/deletion-guard.ts';
import { resolveDeletionLimit } from '../guard/halt-causes.ts';
import { type MirrorDeps, planLimits, type SyncContext, transferLimits } from '../state/context.ts';
import { forkedWorkspace } from '../state/forked-workspace.ts';
import { ProblemTable } from '../state/problems.ts';
import { scopedWorkspace } from '../state/scoped-workspace.ts';
import type { MirrorTrees } from '../state/trees.ts';
import { UnsyncableRules } from '../state/unsyncable.ts';
import { forkFeed, workspaceFeed } from '../state/workspace-feed.ts';
import { FolderState } from './folder-state.ts';
import { ProgressMeter } from './progress.ts';
import { SyncSession } from './session.ts';

export interface OpenSessionOptions {
  readonly row: MirrorRow;
  readonly folder: Folder;
  /** With the whole base. */
  readonly trees: MirrorTrees;
  readonly names: NameRules;
  /** Ends a long plan between two batches. */
  readonly signal: AbortSignal;
}

export function openSession(
  deps: MirrorDeps,
  { row, folder, trees, names, signal }: OpenSessionOptions,
): SyncSession {
  const { clock } = deps;
  const problems = new ProblemTable(clock);
  const progress = new ProgressMeter(clock);
  const candidates = () => trees.differingPaths();
  const { forks, ...others } = deps;
  const { forkId, rootPath, workspaceId } = row;
  const side = forkId === null ? deps.workspaces : forkedWorkspace(deps.workspaces, forks, forkId);
  const context: SyncContext = {
    ...others,
    workspaces: scopedWorkspace(side, rootPath),
    feed:
      forkId === null
        ? workspaceFeed(deps.store.events, workspaceId, rootPath)
        : forkFeed(forks.changes, forkId, rootPath),
    rootPath: row.rootPath,
    mode: row.mode,
    mirrorId: row.mirrorId,
    workspaceId: row.workspaceId,
    trees,
    folder,
    transfer: deps.transfer ?? transferLimits,
    planned: deps.planned ?? planLimits,
    problems,
    signal,
    onActionDone: (path, bytes) => progress.stepDone(path, bytes),
    onBytesTransferred: (path, bytes) => progress.carried(path, bytes),
    onUnconfirmed: (rows) => unconfirmed.unfinished(rows),
  };
  const unconfirmed = new UnconfirmedWrites(context);
  return new SyncSession({
    row,
    context,
    unsyncable: new UnsyncableRules(
      names,
      trees,
      deps.fileBytesMax,
      (path) => problems.at(path)?.failure.kind === 'collision',
    ),
    deletionGuard: new DeletionGuard(
      clock,
      trees,
      resolveDeletionLimit(row.deletesPerMinuteMax),
      forkId !== null,
    ),
    progress,
    folderState: new FolderState({ folder, clock, progress, candidates }, row),
    unconfirmed,
  });
}
