// The folder of a run: shows its fork below the data directory, or where the caller wants it, until the run ends. It also gets copies of files
// that no mirror syncs. The folder of a committed run is removed, that of a discarded one is kept for some days; a folder that the caller chose
// is never removed.
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Compute } from '../compute/port.ts';
import type { Mirror } from '../contract/workspaces.ts';
import {
  type CopyReport,
  type MirrorManager,
  MirrorRefusedError,
  runFoldersName,
} from '../mirror/manager/port.ts';
import { type Clock, withTimeLimit } from '../platform/clock.ts';
import { type IgnoredPage, ignoredPage, type PageQuery } from './ignored-changes.ts';
import { commitSettleMs, copyLimits, folderKeptMs, runTtlSeconds } from './limits.ts';
import { RunMissingError, RunStateError } from './run.ts';
import type { RunNow, RunRow, RunService } from './service.ts';

/** The private folder of a mirror, which a folder without files may have. */
const privateFolder = '.mooring';
/** Of the list of what was copied into a folder, beside that folder. */
const listSuffix = '.copies';

export interface RunFolder {
  readonly run: RunNow;
  readonly dir: string;
  readonly mirror: Mirror;
  /** null: nothing is copied, because no folder mirrors the files of the run, or not yet. */
  readonly copied: CopyReport | null;
}

export interface RunFoldersDeps {
  readonly dataDir: string;
  readonly runs: Pick<RunService, 'current'>;
  readonly mirrors: Pick<MirrorManager, 'add' | 'remove' | 'ofForks'>;
  readonly compute: Compute;
  readonly clock: Clock;
}

export class RunFolders {
  readonly #deps: RunFoldersDeps;
  /** Requests for one run, one after the other: it has one folder. */
  readonly #opening = new Map<string, Promise<RunFolder>>();

  constructor(deps: RunFoldersDeps) {
    this.#deps = deps;
  }

  /** Creates the folder, or answers the one that the run has. `dir`: an empty or missing folder; null: below the data directory. Throws a
   * RunMissingError, a RunStateError or a MirrorRefusedError. */
  open(workspaceId: string, runId: string, dir: string | null): Promise<RunFolder> {
    const opening =
      this.#opening.get(runId) ??
      this.#open(workspaceId, runId, dir).finally(() => this.#opening.delete(runId));
    this.#opening.set(runId, opening);
    return opening;
  }

  /** Throws a RunMissingError, also where the run has no folder now, or a RunStateError. */
  async get(workspaceId: string, runId: string): Promise<RunFolder> {
    const run = await this.#openRun(workspaceId, runId);
    const mirror = await this.#deps.mirrors.ofForks.view(run.run.forkId);
    if (mirror === null) throw new RunMissingError('the run has no folder');
    return { run, dir: mirror.dir, mirror, copied: this.#deps.mirrors.ofForks.copied(run.run.forkId) };
  }

  /** Waits until every change that was made before the call, in the folder or in the run, is synced, and until the folder has its copies. Throws
   * as `get` does, and what the disk has refused. */
  async settle(
    workspaceId: string,
    runId: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<{ readonly settled: boolean; readonly folder: RunFolder }> {
    const { clock } = this.#deps;
    const { run, copied } = await this.get(workspaceId, runId);
    const deadlineMs = clock.monotonicMs() + options.timeoutMs;
    const { forkId } = run.run;
    let settled = await this.#synced(forkId, options);
    if (settled && copied === null) {
      // The rules of the folder are there now, and say what is copied.
      const rest = { ...options, timeoutMs: Math.max(1, deadlineMs - clock.monotonicMs()) };
      settled = await this.#copy(run.run, rest);
      if (settled) settled = await this.#synced(forkId, rest);
    }
    return { settled, folder: await this.get(workspaceId, runId) };
  }

  /** What the command did to files that no mirror syncs, such as those of `.git`: no part of the changes. null: nothing was copied, or no folder
   * mirrors the files of the run any more, so that it is not known. Throws as `get` does. */
  async ignoredChanges(
    workspaceId: string,
    runId: string,
    query: PageQuery,
    signal: AbortSignal,
  ): Promise<IgnoredPage | null> {
    const { run } = await this.get(workspaceId, runId);
    const list = this.#listOf(run.run);
    const changed = await this.#deps.mirrors.ofForks.changedCopies(
      run.run.forkId,
      { list, page: query },
      signal,
    );
    return changed === null ? null : await ignoredPage(this.#deps.compute, changed);
  }

  /** Before a commit: what was changed in the folder just now is a part of it. `end` removes the folder after the commit, unless it has changes
   * that are not synced. `keepsFolder`: as after a discard. */
  async beforeCommit(
    workspaceId: string,
    runId: string,
    { keepsFolder, signal }: { readonly keepsFolder: boolean; readonly signal: AbortSignal },
  ): Promise<{ readonly isSynced: boolean; readonly end: () => Promise<void> }> {
    const { mirrors } = this.#deps;
    const { run } = await this.#deps.runs.current(workspaceId, runId, null);
    const mirror = await mirrors.ofForks.view(run.forkId);
    const keep = () => Promise.resolve();
    if (mirror === null) return { isSynced: true, end: keep };
    const settled = await this.#settled(run.forkId, { timeoutMs: commitSettleMs, signal });
    const isSynced = settled.settled && !hasRefused(settled.mirror);
    if (keepsFolder || !isSynced) return { isSynced, end: keep };
    const dir = this.#usualDir(workspaceId, runId);
    const end = async () => {
      const { state } = await this.#deps.runs.current(workspaceId, runId, null);
      if (state !== 'committed') return;
      await mirrors.remove(workspaceId, mirror.mirrorId);
      await rm(dir, { recursive: true, force: true });
      await rm(this.#listOf(run), { force: true });
    };
    return { isSynced, end };
  }

  async #synced(
    forkId: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<boolean> {
    return (await this.#settled(forkId, options)).settled;
  }

  async #settled(
    forkId: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<{ readonly settled: boolean; readonly mirror: Mirror }> {
    const result = await this.#deps.mirrors.ofForks.settle(forkId, options);
    if (result === null) throw new RunMissingError('the run has no folder');
    return result;
  }

  /** false: the time was over before. */
  async #copy(
    run: RunRow,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const { mirrors, clock } = this.#deps;
    const { forkId } = run;
    const copying = mirrors.ofForks
      .copy(forkId, { list: this.#listOf(run), limits: copyLimits })
      .catch(async (error: unknown) => {
        if ((await mirrors.ofForks.view(forkId)) !== null) throw error;
        throw new RunMissingError('the run has no folder any more');
      });
    return await withTimeLimit(clock, timeoutMs, signal, async (ended) => {
      const over = new Promise<'over'>((resolve) => {
        if (ended.aborted) resolve('over');
        ended.addEventListener('abort', () => resolve('over'), { once: true });
      });
      return (await Promise.race([copying, over])) !== 'over';
    });
  }

  /** Removes the folders of runs that ended long ago. Answers their number. */
  async sweep(): Promise<number> {
    let removed = 0;
    const all = path.join(this.#deps.dataDir, runFoldersName);
    for (const workspaceId of await namesIn(all))
      for (const name of await namesIn(path.join(all, workspaceId))) {
        const dir = path.join(all, workspaceId, name);
        const [runId = name] = name.split(listSuffix);
        const endedAtMs = (await this.#endedAt(workspaceId, runId)) ?? (await newestAt(dir));
        if (this.#deps.clock.nowMs() - endedAtMs <= folderKeptMs) continue;
        await rm(dir, { recursive: true, force: true });
        removed += 1;
      }
    return removed;
  }

  async #open(workspaceId: string, runId: string, wanted: string | null): Promise<RunFolder> {
    const { mirrors } = this.#deps;
    const run = await this.#openRun(workspaceId, runId);
    const { forkId, rootPath } = run.run;
    const known = await mirrors.ofForks.view(forkId);
    if (known !== null) {
      if (wanted !== null && path.resolve(wanted) !== known.dir)
        throw new RunStateError(`the run has a folder already: ${known.dir}`);
      return { run, dir: known.dir, mirror: known, copied: mirrors.ofForks.copied(forkId) };
    }
    const dir = wanted ?? this.#usualDir(workspaceId, runId);
    if (wanted === null) await mkdir(dir, { recursive: true, mode: 0o700 });
    else await refuseUnlessEmpty(wanted);
    // The data directory is where the user wants it, also below a folder that another program syncs.
    const mirror = await mirrors.add(workspaceId, dir, {
      forkId,
      path: rootPath,
      acceptCloudFolder: wanted === null,
    });
    return { run, dir: mirror.dir, mirror, copied: null };
  }

  #listOf({ workspaceId, runId }: Pick<RunRow, 'workspaceId' | 'runId'>): string {
    return this.#usualDir(workspaceId, runId) + listSuffix;
  }

  #usualDir(workspaceId: string, runId: string): string {
    return path.join(this.#deps.dataDir, runFoldersName, workspaceId, runId);
  }

  async #openRun(workspaceId: string, runId: string): Promise<RunNow> {
    const run = await this.#deps.runs.current(workspaceId, runId, null);
    if (run.state !== 'open') throw new RunStateError(`the run is ${run.state}: it has no folder any more`);
    return run;
  }

  /** Infinity: the run is open. null: unknown, for example because an older backup of the store was restored. */
  async #endedAt(workspaceId: string, runId: string): Promise<number | null> {
    try {
      const { run, state } = await this.#deps.runs.current(workspaceId, runId, null);
      if (state === 'open') return Number.POSITIVE_INFINITY;
      return run.endedAtMs ?? run.createdAtMs + runTtlSeconds * 1000;
    } catch (error) {
      if (error instanceof RunMissingError) return null;
      throw error;
    }
  }
}

/** The fork did not take a change, for example because it is full. */
function hasRefused({ problemGroups }: Pick<Mirror, 'problemGroups'>): boolean {
  return problemGroups.some(({ kind }) => kind === 'refused' || kind === 'store_failed');
}

async function refuseUnlessEmpty(dir: string): Promise<void> {
  const names = (await namesIn(dir)).filter((name) => name !== privateFolder);
  if (names.length > 0)
    throw new MirrorRefusedError(
      `Cannot use ${dir} for a run: it has files, which would become changes of the run. Choose an empty folder.`,
    );
}

/** When the folder was in use last: its mirror writes into the private folder. */
async function newestAt(dir: string): Promise<number> {
  const times = await Promise.all(
    [dir, path.join(dir, privateFolder)].map(
      async (one) => (await stat(one).catch(() => null))?.mtimeMs ?? 0,
    ),
  );
  return Math.max(...times);
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
