// A loop per mirror: add, remove, start, pause, resume, settle, and the state that everybody shows. It owns the rule of one
// owner per folder and of no folder within another (sync-engine rule 19). It never touches a file of a user.

import type { MirrorMode } from '../contract/words.ts';
import type { Mirror } from '../contract/workspaces.ts';
import { normalizeReadPath, parseWritePath } from '../core/path.ts';
import { errorCode } from '../disk/file-system.ts';
import type { Folder, FolderListener } from '../disk/folder.ts';
import { nodeFileSystem } from '../disk/node-file-system.ts';
import {
  inspectRoot,
  lockRoot,
  makeRoot,
  type RootOwner,
  realNameOf,
  releaseRoot,
  writeMarker,
} from '../disk/root.ts';
import { WorkerFolder } from '../disk/worker-folder.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { lives, thisProcess } from '../platform/process-identity.ts';
import type { MirrorRow, Store } from '../store/port.ts';
import type { WorkspaceService } from '../workspaces/service.ts';
import { type Conflicts, createConflicts } from './conflicts.ts';
import type { KillPoint } from './context.ts';
import { type DryRun, dryRun } from './dry-run.ts';
import { type Explained, explain } from './explain.ts';
import { type HaltAnswer, type HeldFile, type LoopParts, MirrorLoop } from './loop.ts';
import type { ProofOutcome } from './proof.ts';
import { previewRules, type RulePreview } from './rule-preview.ts';
import { mirrorPath } from './scoped-workspace.ts';
import { haltOf } from './view.ts';

export interface MirrorManager {
  readonly conflicts: Conflicts;
  start(): Promise<void>;
  stop(): Promise<void>;
  list(workspaceId?: string): Promise<readonly Mirror[]>;
  /** Refuses with a MirrorRefusedError: not absolute, nested in or around another root, not a directory, locked by another agent. */
  add(workspaceId: string, dir: string, more?: NewMirror): Promise<Mirror>;
  /** Why a folder may be no other program's to fill: its path is not absolute, or it and a mirror, or the data directory, lie within each other. null: it may.
   * Nothing is made. */
  whyTaken(dir: string): string | null;
  /** Leaves the folder's files; removes its `.mooring`. null: unknown. */
  remove(workspaceId: string, mirrorId: string): Promise<Mirror | null>;
  pause(workspaceId: string, mirrorId: string): Promise<Mirror | null>;
  resume(workspaceId: string, mirrorId: string): Promise<Mirror | null>;
  /** How many deletions a minute it believes from now on; null: the usual number. null: unknown. */
  believe(workspaceId: string, mirrorId: string, deletesPerMinuteMax: number | null): Promise<Mirror | null>;
  /** What a halted mirror holds back, a page in the order of paths. null: unknown. */
  heldBack(
    workspaceId: string,
    mirrorId: string,
    page: { after: string; limit: number },
  ): Promise<{ halt: Mirror['halt']; files: readonly HeldFile[] } | null>;
  /** Compares both sides and what they agreed on, hashing everything. null: unknown. */
  prove(
    workspaceId: string,
    mirrorId: string,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<{ outcome: ProofOutcome['kind']; mirror: Mirror } | null>;
  /** What a cycle would do now and why, without doing it. null: unknown. */
  plan(workspaceId: string, mirrorId: string): Promise<{ row: MirrorRow; run: DryRun } | null>;
  /** What other ignore rules at the root would change. null: unknown; `asleep`: it does not look at its folder now. */
  previewRules(workspaceId: string, mirrorId: string, text: string): Promise<RulePreview | 'asleep' | null>;
  /** Why a path of the workspace is as it is, in each mirror that shows it. */
  explain(workspaceId: string, path: string): readonly Explained[];
  /** The answer to a halt: bring back what is missing, or delete so many files that were shown. null: unknown. */
  answerHalt(
    workspaceId: string,
    mirrorId: string,
    answer: { kind: 'restore' } | { kind: 'delete'; deletes: number },
  ): Promise<{ answer: HaltAnswer; mirror: Mirror } | null>;
  /** Scans first. Resolves settled=true only when every change made before the call, on either side, was seen and settled. */
  settle(options: { workspaceId?: string; timeoutMs: number; signal?: AbortSignal }): Promise<{
    settled: boolean;
    mirrors: readonly Mirror[];
  }>;
}

export interface NewMirror {
  readonly mode?: MirrorMode;
  /** A directory of the workspace; default: all of it. */
  readonly path?: string;
}

export class MirrorRefusedError extends Error {
  override readonly name = 'MirrorRefusedError';
}

export interface MirrorManagerParts {
  readonly store: Store;
  readonly workspaces: WorkspaceService;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Ids;
  /** Named to another agent that wants the same folder, and never mirrored itself. */
  readonly dataDir: string;
  /** Tests only: ends the process, or throws, at a named point. */
  readonly atKillPoint?: (point: KillPoint) => void;
  readonly openFolder?: (listener: FolderListener) => Folder;
  /** Default: true. */
  readonly provesByItself?: boolean;
  readonly onProofAlarm?: () => void;
}

const markerLength = 32;

export function createMirrorManager(parts: MirrorManagerParts): MirrorManager {
  return new Mirrors(parts);
}

class Mirrors implements MirrorManager {
  readonly conflicts: Conflicts;
  readonly #parts: MirrorManagerParts;
  readonly #owner: RootOwner;
  readonly #loops = new Map<string, MirrorLoop>();
  readonly #dryRuns = new Map<string, Promise<DryRun>>();
  readonly #stopping = new AbortController();
  #unsubscribe: (() => void) | null = null;
  /** Adding and removing run one after the other: two roots must not be checked at once. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: MirrorManagerParts) {
    this.#parts = parts;
    this.conflicts = createConflicts({
      store: parts.store.mirrors,
      workspaces: parts.workspaces,
      onChange: async (mirrorId) => await this.#loops.get(mirrorId)?.readConflicts(),
    });
    const { pid, started } = thisProcess();
    this.#owner = { pid, startedAt: started ?? '', dataDir: parts.dataDir };
  }

  async start(): Promise<void> {
    // The commit is the hint; what changed is read from the rows of the feed, so nothing can be missed.
    this.#unsubscribe = this.#parts.store.onCommit(({ workspaceIds }) => {
      for (const loop of this.#loops.values()) {
        if (workspaceIds.includes(loop.row.workspaceId)) loop.hintRemote();
      }
    });
    for (const row of await this.#parts.store.mirrors.list()) this.#run(row);
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#stopping.abort();
    await Promise.allSettled(this.#dryRuns.values());
    await this.#turn;
    await Promise.all(
      [...this.#loops.values()].map(async (loop) => {
        await loop.stop();
        this.#release(loop.row.dir, false);
      }),
    );
    this.#loops.clear();
  }

  async list(workspaceId?: string): Promise<readonly Mirror[]> {
    return this.#of(workspaceId).map((loop) => loop.view());
  }

  add(workspaceId: string, dir: string, more: NewMirror = {}): Promise<Mirror> {
    return this.#inTurn(async () => {
      const rootPath = rootPathOf(more.path ?? '/');
      const { store, clock, ids } = this.#parts;
      const root = this.#fitRoot(dir);
      const owner = this.#lock(root);
      if (owner !== null) throw new MirrorRefusedError(`${root} is mirrored by another agent: ${owner}`);
      const markerId = ids.text(markerLength);
      writeMarker(nodeFileSystem, root, markerId);
      const state = inspectRoot(nodeFileSystem, root);
      if (state.kind !== 'present') throw new MirrorRefusedError(`${root} cannot be read`);
      const row: MirrorRow = {
        mirrorId: ids.mirrorId(),
        workspaceId,
        dir: root,
        mode: more.mode ?? 'two-way',
        rootPath,
        markerId,
        rootDevice: state.device,
        rootInode: state.inode,
        paused: false,
        deletesPerMinuteMax: null,
        haltedCause: null,
        epoch: await store.maintenance.epoch(),
        established: false,
        lastSyncAtMs: null,
        createdAtMs: clock.nowMs(),
      };
      await store.mirrors.insert(row);
      return this.#run(row).view();
    });
  }

  whyTaken(dir: string): string | null {
    const { dataDir } = this.#parts;
    const folder = realNameOf(dir);
    if (folder === null) return `${dir} is not an absolute path`;
    if (areNested(folder, dataDir)) return `${dir} and the data directory ${dataDir} lie within each other`;
    const clash = [...this.#loops.values()].find((loop) => areNested(loop.row.dir, folder))?.row.dir;
    return clash === undefined ? null : `${dir} and the mirrored folder ${clash} lie within each other`;
  }

  remove(workspaceId: string, mirrorId: string): Promise<Mirror | null> {
    return this.#inTurn(async () => {
      const loop = this.#find(workspaceId, mirrorId);
      if (loop === null) return null;
      await loop.stop();
      this.#loops.delete(mirrorId);
      await this.#parts.store.mirrors.remove(mirrorId);
      this.#release(loop.row.dir, true);
      return loop.view();
    });
  }

  async pause(workspaceId: string, mirrorId: string): Promise<Mirror | null> {
    const loop = this.#find(workspaceId, mirrorId);
    await loop?.pause();
    return loop?.view() ?? null;
  }

  async resume(workspaceId: string, mirrorId: string): Promise<Mirror | null> {
    const loop = this.#find(workspaceId, mirrorId);
    await loop?.resume();
    return loop?.view() ?? null;
  }

  async believe(
    workspaceId: string,
    mirrorId: string,
    deletesPerMinuteMax: number | null,
  ): Promise<Mirror | null> {
    const loop = this.#find(workspaceId, mirrorId);
    await loop?.believe(deletesPerMinuteMax);
    return loop?.view() ?? null;
  }

  async prove(
    workspaceId: string,
    mirrorId: string,
    { timeoutMs, signal }: Parameters<MirrorManager['prove']>[2],
  ): ReturnType<MirrorManager['prove']> {
    const loop = this.#find(workspaceId, mirrorId);
    if (loop === null) return null;
    const late = new AbortController();
    const timer = new AbortController();
    const timeUp = this.#parts.clock.delay(timeoutMs, timer.signal).then(() => late.abort());
    const outcome = await loop.prove(AbortSignal.any([signal, late.signal]));
    timer.abort();
    await timeUp;
    return { outcome: outcome.kind, mirror: loop.view() };
  }

  async plan(workspaceId: string, mirrorId: string): ReturnType<MirrorManager['plan']> {
    const loop = this.#find(workspaceId, mirrorId);
    if (loop === null) return null;
    // Whoever asks while one looks gets what that one sees: a look reads the whole folder.
    const running = this.#dryRuns.get(mirrorId) ?? dryRun(this.#loopParts(), loop.row, this.#stopping.signal);
    this.#dryRuns.set(mirrorId, running);
    try {
      return { row: loop.row, run: await running };
    } finally {
      this.#dryRuns.delete(mirrorId);
    }
  }

  async previewRules(
    workspaceId: string,
    mirrorId: string,
    text: string,
  ): ReturnType<MirrorManager['previewRules']> {
    const loop = this.#find(workspaceId, mirrorId);
    if (loop === null) return null;
    return loop.session === null ? 'asleep' : await previewRules(loop.session, text);
  }

  explain(workspaceId: string, path: string): readonly Explained[] {
    return this.#of(workspaceId).flatMap(({ row, session }) => {
      const below = mirrorPath(row.rootPath, path);
      return below === null ? [] : [explain(row, session, below)];
    });
  }

  async heldBack(
    workspaceId: string,
    mirrorId: string,
    { after, limit }: { after: string; limit: number },
  ): ReturnType<MirrorManager['heldBack']> {
    const loop = this.#find(workspaceId, mirrorId);
    return loop === null ? null : { halt: haltOf(loop), files: loop.heldBack(after, limit) };
  }

  async answerHalt(
    workspaceId: string,
    mirrorId: string,
    answer: Parameters<MirrorManager['answerHalt']>[2],
  ): ReturnType<MirrorManager['answerHalt']> {
    const loop = this.#find(workspaceId, mirrorId);
    if (loop === null) return null;
    const outcome =
      answer.kind === 'delete' ? loop.acceptDeletes(answer.deletes) : await loop.restoreMissing();
    return { answer: outcome, mirror: loop.view() };
  }

  async settle({
    workspaceId,
    timeoutMs,
    signal,
  }: Parameters<MirrorManager['settle']>[0]): ReturnType<MirrorManager['settle']> {
    const timeout = new AbortController();
    const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
    const loops = this.#of(workspaceId);
    const all = Promise.all(loops.map((loop) => loop.settle(either)));
    const timer = new AbortController();
    const late = this.#parts.clock.delay(timeoutMs, timer.signal).then(() => timeout.abort());
    const settled = (await all).every((one) => one);
    timer.abort();
    await late;
    return { settled, mirrors: loops.map((loop) => loop.view()) };
  }

  #run(row: MirrorRow): MirrorLoop {
    const loop = new MirrorLoop(this.#loopParts(), row);
    this.#loops.set(row.mirrorId, loop);
    loop.start();
    return loop;
  }

  #loopParts(): LoopParts {
    const { store, workspaces, clock, logger, ids, atKillPoint, openFolder, onProofAlarm } = this.#parts;
    return {
      store,
      workspaces,
      clock,
      logger,
      ids,
      offsetMinutes: (atMs) => -new Date(atMs).getTimezoneOffset(),
      atKillPoint: atKillPoint ?? (() => undefined),
      openFolder: openFolder ?? ((listener) => new WorkerFolder(listener)),
      lockRoot: (dir) => this.#lock(dir),
      provesByItself: this.#parts.provesByItself ?? true,
      ...(onProofAlarm === undefined ? {} : { onProofAlarm }),
    };
  }

  #fitRoot(dir: string): string {
    const made = makeRoot(dir);
    if (!made.ok) throw new MirrorRefusedError(made.reason);
    const others = [...this.#loops.values()].map((loop) => loop.row.dir);
    const clash = others.find((other) => areNested(other, made.root));
    if (clash === made.root) throw new MirrorRefusedError(`${made.root} is mirrored already`);
    if (clash !== undefined)
      throw new MirrorRefusedError(`${made.root} and the mirrored folder ${clash} lie within each other`);
    if (areNested(made.root, this.#parts.dataDir)) {
      throw new MirrorRefusedError(
        `${made.root} and the data directory ${this.#parts.dataDir} lie within each other`,
      );
    }
    return made.root;
  }

  #lock(root: string): string | null {
    const other = lockRoot(nodeFileSystem, root, this.#owner, (owner) =>
      lives({ pid: owner.pid, started: owner.startedAt === '' ? null : owner.startedAt }),
    );
    return other === null ? null : `process ${other.pid} with the data directory ${other.dataDir}`;
  }

  #release(root: string, everything: boolean): void {
    try {
      releaseRoot(nodeFileSystem, root, this.#owner, everything);
    } catch (error) {
      // The folder is out of reach: its lock names a process that will be gone.
      this.#parts.logger.warn(
        { dir: root, reason: errorCode(error) },
        'the lock of a folder could not be removed',
      );
    }
  }

  #of(workspaceId: string | undefined): readonly MirrorLoop[] {
    return [...this.#loops.values()].filter(
      (loop) => workspaceId === undefined || loop.row.workspaceId === workspaceId,
    );
  }

  #find(workspaceId: string, mirrorId: string): MirrorLoop | null {
    const loop = this.#loops.get(mirrorId);
    return loop?.row.workspaceId === workspaceId ? loop : null;
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(act);
    this.#turn = result.catch((error: unknown) => errorCode(error));
    return result;
  }
}

function rootPathOf(path: string): string {
  const asked = normalizeReadPath(path);
  if (asked === '/') return asked;
  const parsed = parseWritePath(asked);
  if (!parsed.ok) throw new MirrorRefusedError(`${path} is no directory of a workspace: ${parsed.reason}`);
  return parsed.path;
}

function areNested(left: string, right: string): boolean {
  return left === right || left.startsWith(withSlash(right)) || right.startsWith(withSlash(left));
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
