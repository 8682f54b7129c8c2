// The folder of a run: shows its fork below the data directory, or where the caller wants it, until the run ends. An ended run's folder is
// kept for some days and then removed; a folder that the caller chose is never removed.
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Mirror } from '../contract/workspaces.ts';
import { type MirrorManager, MirrorRefusedError, runFoldersName } from '../mirror/manager/port.ts';
import type { Clock } from '../platform/clock.ts';
import { folderKeptMs, runTtlSeconds } from './limits.ts';
import { RunMissingError, RunStateError } from './run.ts';
import type { RunNow, RunService } from './service.ts';

/** The private folder of a mirror, which a folder without files may have. */
const privateFolder = '.mooring';

export interface RunFolder {
  readonly run: RunNow;
  readonly dir: string;
  readonly mirror: Mirror;
}

export interface RunFoldersDeps {
  readonly dataDir: string;
  readonly runs: Pick<RunService, 'current'>;
  readonly mirrors: Pick<MirrorManager, 'add' | 'ofForks'>;
  readonly clock: Pick<Clock, 'nowMs'>;
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
    const mirror = this.#deps.mirrors.ofForks.view(run.run.forkId);
    if (mirror === null) throw new RunMissingError('the run has no folder');
    return { run, dir: mirror.dir, mirror };
  }

  /** Waits until every change that was made before the call, in the folder or in the run, is synced. Throws as `get` does. */
  async settle(
    workspaceId: string,
    runId: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<{ readonly settled: boolean; readonly folder: RunFolder }> {
    const folder = await this.get(workspaceId, runId);
    const settled = await this.#deps.mirrors.ofForks.settle(folder.run.run.forkId, options);
    if (settled === null) throw new RunMissingError('the run has no folder');
    return { settled: settled.settled, folder: { ...folder, mirror: settled.mirror } };
  }

  /** Removes the folders of runs that ended long ago. Answers their number. */
  async sweep(): Promise<number> {
    let removed = 0;
    const all = path.join(this.#deps.dataDir, runFoldersName);
    for (const workspaceId of await namesIn(all))
      for (const runId of await namesIn(path.join(all, workspaceId))) {
        const dir = path.join(all, workspaceId, runId);
        const endedAtMs = (await this.#endedAt(workspaceId, runId)) ?? (await newestAt(dir));
        if (this.#deps.clock.nowMs() - endedAtMs <= folderKeptMs) continue;
        await rm(dir, { recursive: true, force: true });
        removed += 1;
      }
    return removed;
  }

  async #open(workspaceId: string, runId: string, wanted: string | null): Promise<RunFolder> {
    const { dataDir, mirrors } = this.#deps;
    const run = await this.#openRun(workspaceId, runId);
    const { forkId, rootPath } = run.run;
    const known = mirrors.ofForks.view(forkId);
    if (known !== null) {
      if (wanted !== null && path.resolve(wanted) !== known.dir)
        throw new RunStateError(`the run has a folder already: ${known.dir}`);
      return { run, dir: known.dir, mirror: known };
    }
    const dir = wanted ?? path.join(dataDir, runFoldersName, workspaceId, runId);
    if (wanted === null) await mkdir(dir, { recursive: true, mode: 0o700 });
    else await refuseUnlessEmpty(wanted);
    // The data directory is where the user wants it, also below a folder that another program syncs.
    const mirror = await mirrors.add(workspaceId, dir, {
      forkId,
      path: rootPath,
      acceptCloudFolder: wanted === null,
    });
    return { run, dir: mirror.dir, mirror };
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
