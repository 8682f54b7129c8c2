// The mirrors of forks among all loops: found by their fork, waited for, given copies of files that no mirror syncs, and whether their fork
// has ended. It starts and ends none.

import type { Mirror } from '../../contract/workspaces.ts';
import {
  type CompareRequest,
  type CopyLimits,
  type CopyReport,
  type IgnoredChanges,
  parseReport,
} from '../../disk/copy/copied-files.ts';
import { compareCopies, copyFiles } from '../../disk/copy/copy-files.ts';
import { onFolder } from '../../disk/port/confined-file-system.ts';
import { copiedFileName, readPrivate } from '../../disk/root/root.ts';
import { type Clock, withTimeLimit } from '../../platform/clock.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import { ForkGoneError, type ForkService } from '../../workspaces/forks.ts';
import type { SyncLoop } from '../loop/loop.ts';
import { fileBytesMaxDefault } from '../state/context.ts';
import { mirrorPath } from '../state/scoped-workspace.ts';

export interface ForkMirrorsDeps {
  readonly forks: ForkService;
  readonly clock: Clock;
  readonly fileBytesMax?: number;
}

export class ForkMirrors {
  readonly #forks: ForkService;
  readonly #clock: Clock;
  readonly #fileBytesMax: number;
  readonly #loops: ReadonlyMap<string, SyncLoop>;
  #comparing: Promise<unknown> = Promise.resolve();
  /** By fork: what its folder has got, or gets now. */
  readonly #copies = new Map<
    string,
    { readonly report: Promise<CopyReport>; readonly end: AbortController }
  >();

  constructor({ forks, clock, fileBytesMax }: ForkMirrorsDeps, loops: ReadonlyMap<string, SyncLoop>) {
    this.#forks = forks;
    this.#clock = clock;
    this.#fileBytesMax = fileBytesMax ?? fileBytesMaxDefault;
    this.#loops = loops;
  }

  /** null: the fork has no mirror. */
  async view(forkId: string): Promise<Mirror | null> {
    return (await this.#of(forkId)?.view()) ?? null;
  }

  /** As `settle` of all mirrors. null: the fork has none. */
  async settle(
    forkId: string,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<{ settled: boolean; mirror: Mirror } | null> {
    const loop = this.#of(forkId);
    if (loop === null) return null;
    const settled = await withTimeLimit(this.#clock, timeoutMs, signal, (ended) =>
      loop.waitUntilSynced(ended),
    );
    return { settled, mirror: await loop.view() };
  }

  /** What `copy` has done. null: nothing, or it is not finished. */
  copied(forkId: string): CopyReport | null {
    const dir = this.#of(forkId)?.row.dir;
    if (dir === undefined) return null;
    try {
      return onFolder(dir, (fs) => parseReport(readPrivate(fs, dir, copiedFileName)));
    } catch {
      // The folder cannot be read now: the state of its mirror says so.
      return null;
    }
  }

  /** Copies what no mirror syncs from the folder that mirrors the same files, once: later calls answer the same. `list`: the file that names what
   * was copied. null: the fork has no mirror, or no folder mirrors its files. Rejects with what the disk has refused. */
  copy(
    forkId: string,
    { list, limits }: { readonly list: string; readonly limits: CopyLimits },
  ): Promise<CopyReport | null> {
    const known = this.#copies.get(forkId);
    if (known !== undefined) return known.report;
    const to = this.#of(forkId)?.row;
    const source = to === undefined ? null : this.#liveFolderOf(to);
    if (to === undefined || source === null) return Promise.resolve(null);
    const end = new AbortController();
    const request = { ...source, to: to.dir, list, fileBytesMax: this.#fileBytesMax, limits };
    const report = copyFiles(request, end.signal);
    this.#copies.set(forkId, { report, end });
    // The next call begins again.
    report.catch(() => this.#copies.delete(forkId));
    return report;
  }

  /** What changed of the copies that `copy` has made, and of other files of the folder that no mirror syncs. One comparison runs at a time. null: no
   * folder mirrors the files of the fork now, or it is not known what was copied. */
  async changedCopies(
    forkId: string,
    { list, page }: Pick<CompareRequest, 'list' | 'page'>,
    signal: AbortSignal,
  ): Promise<IgnoredChanges | null> {
    const to = this.#of(forkId)?.row;
    const source = to === undefined ? null : this.#liveFolderOf(to);
    if (to === undefined || source === null) return null;
    const request = { ...source, to: to.dir, list, page, fileBytesMax: this.#fileBytesMax };
    const comparison = this.#comparing.then(() => compareCopies(request, signal));
    this.#comparing = comparison.catch(() => undefined);
    return await comparison;
  }

  /** Ends a copy that runs. The mirror of the fork ends, or all do (null). */
  async endCopies(forkId: string | null): Promise<void> {
    const ending = [...this.#copies].filter(([id]) => forkId === null || id === forkId);
    for (const [id, { end }] of ending) {
      this.#copies.delete(id);
      end.abort(new Error('the mirror of the run has ended'));
    }
    await Promise.allSettled(ending.map(([, { report }]) => report));
  }

  /** Of the first mirror that has all files of the fork's. */
  #liveFolderOf(fork: MirrorRow): { readonly root: string; readonly from: string } | null {
    for (const { row } of this.#loops.values()) {
      if (row.forkId !== null || row.workspaceId !== fork.workspaceId) continue;
      if (row.rootPath === fork.rootPath) return { root: row.dir, from: row.dir };
      const below = mirrorPath(row.rootPath, fork.rootPath);
      if (below !== null) return { root: row.dir, from: row.dir + below };
    }
    return null;
  }

  /** The mirror shows a fork that was committed, discarded or has expired. */
  async isEnded({ workspaceId, forkId }: MirrorRow): Promise<boolean> {
    if (forkId === null) return false;
    try {
      await this.#forks.open(workspaceId, forkId);
      return false;
    } catch (error) {
      if (error instanceof ForkGoneError) return true;
      throw error;
    }
  }

  #of(forkId: string): SyncLoop | null {
    return [...this.#loops.values()].find(({ row }) => row.forkId === forkId) ?? null;
  }
}
