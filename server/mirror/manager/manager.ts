// Manages all mirrors, one loop each: add, remove, pause, resume, wait until synced, and their status. roots.ts checks which folders
// may be mirrored. It changes no file of a user.
import type { Mirror } from '../../contract/workspaces.ts';
import { onFolder } from '../../disk/port/confined-file-system.ts';
import { errorCode } from '../../disk/port/file-system.ts';
import type { CloudFolder } from '../../disk/root/cloud-folders.ts';
import { inspectRoot, writeMarker } from '../../disk/root/root.ts';
import { WorkerFolder } from '../../disk/worker/worker-folder.ts';
import { withTimeLimit } from '../../platform/clock.ts';
import { machineUserName } from '../../platform/process/user-name.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import { SyncLoop, type SyncLoopDeps } from '../loop/loop.ts';
import { fileBytesMaxDefault } from '../state/context.ts';
import { createProcessorShares, type ProcessorShares } from '../state/processor-shares.ts';
import { mirrorPath } from '../state/scoped-workspace.ts';
import { explain } from '../status/explain.ts';
import { haltOf } from '../status/mirror-status.ts';
import { pathStatesOf } from '../status/path-states.ts';
import { previewRules } from '../status/rule-preview.ts';
import { ForkMirrors } from './fork-mirrors.ts';
import { hintOnChanges } from './hints.ts';
import { FoldersOfLoops } from './mirrored-folders.ts';
import { NewFolders } from './new-folders.ts';
import { type PlanPreview, previewPlan } from './plan-preview.ts';
import { type MirrorManager, type MirrorManagerDeps, MirrorRefusedError, type NewMirror } from './port.ts';
import { MirrorRoots, rootPathOf } from './roots.ts';

const markerLength = 32;

export function createMirrorManager(parts: MirrorManagerDeps): MirrorManager {
  return new Mirrors(parts);
}

class Mirrors implements MirrorManager {
  readonly ofForks: ForkMirrors;
  readonly folders: FoldersOfLoops;
  readonly newFolders: NewFolders;
  readonly #deps: MirrorManagerDeps;
  readonly #roots: MirrorRoots;
  readonly #loops = new Map<string, SyncLoop>();
  readonly #previews = new Map<string, Promise<PlanPreview>>();
  readonly #stopping = new AbortController();
  readonly #processorShares: ProcessorShares;
  #unsubscribe: (() => void) | null = null;
  /** Adding and removing run one after the other: two roots must not be checked at the same time. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: MirrorManagerDeps) {
    this.#deps = parts;
    this.#processorShares = parts.processorShares ?? createProcessorShares();
    this.ofForks = new ForkMirrors(parts, this.#loops);
    this.folders = new FoldersOfLoops(this.#loops);
    const { cloudMachine, dataDir, logger } = parts;
    this.#roots = new MirrorRoots({
      cloudMachine,
      dataDir,
      logger,
      mirroredDirs: () => [...this.#loops.values()].map((loop) => loop.row.dir),
    });
    this.newFolders = new NewFolders(this.#roots, {
      cloudMachine,
      clock: parts.clock,
      fileBytesMax: parts.fileBytesMax ?? fileBytesMaxDefault,
    });
  }

  conflictsChanged = async (mirrorId: string): Promise<void> => {
    await this.#loops.get(mirrorId)?.readConflicts();
  };

  async start(): Promise<void> {
    const { mirrors } = this.#deps.store;
    this.#unsubscribe = hintOnChanges(this.#deps, this.#loops);
    for (const row of await mirrors.list()) {
      if (await this.ofForks.isEnded(row)) await mirrors.remove(row);
      else this.#run(row);
    }
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#stopping.abort();
    await this.ofForks.endCopies(null);
    await Promise.allSettled(this.#previews.values());
    await this.#queue;
    await Promise.all(
      [...this.#loops.values()].map(async (loop) => {
        await loop.stop();
        this.#roots.release(loop.row.dir, false);
      }),
    );
    this.#loops.clear();
  }

  async list(workspaceId?: string): Promise<readonly Mirror[]> {
    return await Promise.all(this.#of(workspaceId).map((loop) => loop.view()));
  }

  add(workspaceId: string, dir: string, more: NewMirror = {}): Promise<Mirror> {
    return this.#enqueue(async () => {
      const rootPath = rootPathOf(more.path ?? '/');
      const { store, clock, ids, keepsFolders = true } = this.#deps;
      if (!keepsFolders)
        throw new MirrorRefusedError(
          'A hub keeps no folders: mirror this workspace on a desktop, as a remote with the address of this hub.',
        );
      if (more.acceptCloudFolder !== true) await this.#roots.refuseCloudFolder(dir);
      const root = this.#roots.prepareRoot(dir);
      const overlap = await this.#roots.foreignOverlap(root);
      if (overlap !== null) throw new MirrorRefusedError(`${overlap} Choose a folder outside it.`);
      const owner = await this.#roots.lock(root);
      if (owner !== null)
        throw new MirrorRefusedError(
          `Cannot mirror ${root}: another agent mirrors it (${owner}). Stop that agent or choose another folder.`,
        );
      const markerId = ids.text(markerLength);
      const state = onFolder(root, (fs) => {
        writeMarker(fs, root, markerId);
        return inspectRoot(fs, root);
      });
      if (state.kind !== 'present')
        throw new MirrorRefusedError(`Cannot mirror ${root}: it cannot be read. Check its permissions.`);
      const row: MirrorRow = {
        mirrorId: ids.mirrorId(),
        workspaceId,
        forkId: more.forkId ?? null,
        dir: root,
        mode: more.mode ?? 'two-way',
        rootPath,
        markerId,
        rootDevice: state.device,
        rootInode: state.inode,
        paused: false,
        pausedUntilMs: null,
        deletesPerMinuteMax: null,
        haltedCause: null,
        epoch: await store.maintenance.epoch(),
        established: false,
        lastSyncAtMs: null,
        createdAtMs: clock.nowMs(),
      };
      await store.mirrors.insert(row);
      return await this.#run(row).view();
    });
  }

  cloudFolderOf(dir: string): Promise<CloudFolder | null> {
    return this.#roots.cloudFolderOf(dir);
  }

  rootRefusal(dir: string): string | null {
    return this.#roots.rootRefusal(dir);
  }

  remove(workspaceId: string, mirrorId: string): Promise<Mirror | null> {
    return this.#enqueue(async () => {
      const loop = this.#find(workspaceId, mirrorId);
      if (loop === null) return null;
      await this.#end(loop);
      return await loop.view();
    });
  }

  removeAll(workspaceId: string): Promise<void> {
    return this.#enqueue(async () => {
      for (const loop of [...this.#loops.values()])
        if (loop.row.workspaceId === workspaceId) await this.#end(loop);
    });
  }

  pause: MirrorManager['pause'] = (workspaceId, mirrorId, untilMs = null) =>
    this.#viewAfter(workspaceId, mirrorId, (loop) => loop.pause(untilMs));

  resume: MirrorManager['resume'] = (workspaceId, mirrorId) =>
    this.#viewAfter(workspaceId, mirrorId, (loop) => loop.resume());

  setDeletionLimit: MirrorManager['setDeletionLimit'] = (workspaceId, mirrorId, deletesPerMinuteMax) =>
    this.#viewAfter(workspaceId, mirrorId, (loop) => loop.setDeletionLimit(deletesPerMinuteMax));

  prove: MirrorManager['prove'] = async (workspaceId, mirrorId, { timeoutMs, signal }) => {
    const loop = this.#find(workspaceId, mirrorId);
    if (loop === null) return null;
    const outcome = await withTimeLimit(this.#deps.clock, timeoutMs, signal, (ended) => loop.prove(ended));
    return { outcome: outcome.kind, mirror: await loop.view() };
  };

  plan: MirrorManager['plan'] = async (workspaceId, mirrorId) => {
    const loop = this.#find(workspaceId, mirrorId);
    if (loop === null) return null;
    // Concurrent requests share one preview, as it scans the whole folder.
    const running =
      this.#previews.get(mirrorId) ?? previewPlan(this.#loopDeps(), loop.row, this.#stopping.signal);
    this.#previews.set(mirrorId, running);
    try {
      return { row: loop.row, run: await running };
    } finally {
      this.#previews.delete(mirrorId);
    }
  };

  previewRules: MirrorManager['previewRules'] = async (workspaceId, mirrorId, text) => {
    const loop = this.#find(workspaceId, mirrorId);
    if (loop === null) return null;
    return loop.session === null ? 'asleep' : await previewRules(loop.session, text, this.#deps.clock);
  };

  explain: MirrorManager['explain'] = (workspaceId, path) =>
    this.#of(workspaceId).flatMap(({ row, session }) => {
      const below = mirrorPath(row.rootPath, path);
      return below === null ? [] : [explain(row, session, below)];
    });

  pathStates: MirrorManager['pathStates'] = async (workspaceId, paths) => {
    const loops = this.#of(workspaceId);
    for (const { row, session } of loops)
      await session?.folderState.decide(paths.flatMap((path) => mirrorPath(row.rootPath, path) ?? []));
    const seen = loops.map((loop) => pathStatesOf(loop, paths));
    return paths.map((path) => seen.flatMap((states) => states.get(path) ?? []));
  };

  listPendingDeletions: MirrorManager['listPendingDeletions'] = async (
    workspaceId,
    mirrorId,
    { after, limit },
  ) => {
    const loop = this.#find(workspaceId, mirrorId);
    return loop === null ? null : { halt: haltOf(loop), files: loop.listPendingDeletions(after, limit) };
  };

  problems: MirrorManager['problems'] = async (workspaceId, mirrorId, { kind, cursor, limit }) => {
    const list = await this.#find(workspaceId, mirrorId)?.problemList();
    if (list === undefined) return null;
    return { ...list.page(kind, cursor, limit), count: kind === null ? list.count : list.countOf(kind) };
  };

  resolveHalt: MirrorManager['resolveHalt'] = async (workspaceId, mirrorId, answer) => {
    const loop = this.#find(workspaceId, mirrorId);
    if (loop === null) return null;
    const outcome =
      answer.kind === 'delete' ? loop.confirmDeletions(answer.deletes) : await loop.restoreMissing();
    return { answer: outcome, mirror: await loop.view() };
  };

  settle: MirrorManager['settle'] = async ({ workspaceId, timeoutMs, signal }) => {
    const loops = this.#of(workspaceId);
    const settled = await withTimeLimit(this.#deps.clock, timeoutMs, signal, async (ended) =>
      (await Promise.all(loops.map((loop) => loop.waitUntilSynced(ended)))).every((isSynced) => isSynced),
    );
    return { settled, mirrors: await Promise.all(loops.map((loop) => loop.view())) };
  };

  async #end(loop: SyncLoop): Promise<void> {
    const { mirrorId, dir, forkId } = loop.row;
    if (forkId !== null) await this.ofForks.endCopies(forkId);
    await loop.stop();
    this.#loops.delete(mirrorId);
    await this.#deps.store.mirrors.remove({ mirrorId });
    this.#roots.release(dir, true);
  }

  /** null: unknown. */
  async #viewAfter(
    workspaceId: string,
    mirrorId: string,
    act: (loop: SyncLoop) => Promise<void>,
  ): Promise<Mirror | null> {
    const loop = this.#find(workspaceId, mirrorId);
    if (loop === null) return null;
    await act(loop);
    return await loop.view();
  }

  #run(row: MirrorRow): SyncLoop {
    const deps = this.#loopDeps();
    const { workspaceId, mirrorId } = row;
    // The folder of a run is short-lived, and reviewed before it is committed. Its mirror ends with the fork.
    const onGone = () => void this.remove(workspaceId, mirrorId);
    const loop = new SyncLoop(row.forkId === null ? deps : { ...deps, provesByItself: false, onGone }, row);
    this.#loops.set(row.mirrorId, loop);
    loop.start();
    return loop;
  }

  #loopDeps(): SyncLoopDeps {
    const { atKillPoint, openFolder, onProofAlarm, proofPace, fileBytesMax } = this.#deps;
    const { compute, store, workspaces, forks, clock, logger, ids } = this.#deps;
    return {
      ...{ compute, store, workspaces, forks, clock, logger, ids },
      userName: machineUserName() ?? 'Folder',
      fileBytesMax: fileBytesMax ?? fileBytesMaxDefault,
      offsetMinutes: (atMs) => -new Date(atMs).getTimezoneOffset(),
      atKillPoint: atKillPoint ?? (() => undefined),
      openFolder: openFolder ?? ((listener) => new WorkerFolder(listener)),
      lockRoot: (dir) => this.#roots.lock(dir),
      processorShares: this.#processorShares,
      onChange: (mirrorId) => this.folders.changed(mirrorId),
      provesByItself: this.#deps.provesByItself ?? true,
      ...(onProofAlarm === undefined ? {} : { onProofAlarm }),
      ...(proofPace === undefined ? {} : { proofPace }),
    };
  }

  #of(workspaceId: string | undefined): readonly SyncLoop[] {
    return [...this.#loops.values()].filter(
      ({ row }) => row.forkId === null && (workspaceId === undefined || row.workspaceId === workspaceId),
    );
  }

  #find(workspaceId: string, mirrorId: string): SyncLoop | null {
    const loop = this.#loops.get(mirrorId);
    return loop?.row.workspaceId === workspaceId ? loop : null;
  }

  #enqueue<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(act);
    this.#queue = result.catch((error: unknown) => errorCode(error));
    return result;
  }
}
