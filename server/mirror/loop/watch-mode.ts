// Whether file watching works for a mirror, why not, and how often a full scan is therefore due (docs/sync-rules.md#6,
// docs/sync-rules.md#22). It scans nothing itself.
import type { Folder, WatchState, WatchTrouble } from '../../disk/port/folder.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type { FullScan } from '../cycle/folder-state.ts';

/**
 * Full scans may use 0.3 percent of one processor while the watcher reports every change. With proofs (0.5 percent) and the pass that
 * hashes every file (0.2 percent, both in mirror/proof/proof-meter.ts) that is one percent.
 */
const watchedShare = 333;
const watchedMsMax = 24 * 3_600_000;
const rescanMsMin = 30_000;
/** Half a percent, but often: changes of another machine on a network disk, or in a directory without a watch, give no event. */
const partlyWatchedShare = 200;
const partlyWatchedMsMax = 10 * 60_000;
/** Without hints only scans find changes. */
const pollMsMin = 2000;
const pollShare = 50;

export class WatchMode {
  readonly #dir: string;
  readonly #logger: Logger;
  readonly #onChange: () => void;
  #state: WatchState = 'polling';
  #trouble: WatchTrouble | null = null;

  /** `onChange`: hints may have been lost, or begin now. */
  constructor(dir: string, logger: Logger, onChange: () => void) {
    this.#dir = dir;
    this.#logger = logger;
    this.#onChange = onChange;
  }

  get state(): WatchState {
    return this.#state;
  }
  /** null: file watching works, or the cause is not known yet. */
  get trouble(): WatchTrouble | null {
    return this.#trouble;
  }

  /** The folder's thread reports another state. */
  changed(state: WatchState, trouble: WatchTrouble | null): void {
    this.#state = state;
    this.#trouble = trouble;
    if (state === 'polling')
      this.#logger.warn({ dir: this.#dir, ...trouble }, 'file watching is unavailable; polling the folder');
    this.#onChange();
  }

  start(folder: Folder, ended: AbortSignal): void {
    if (ended.aborted) return;
    folder.watch().then(
      (state) => {
        if (ended.aborted) return;
        this.#state = state;
        if (state === 'events') this.#trouble = null;
        this.#onChange();
      },
      (error: unknown) => {
        // The session ended and closed its folder meanwhile.
        if (ended.aborted) return;
        this.#state = 'polling';
        this.#logger.warn({ err: error, dir: this.#dir }, 'file watching failed; polling the folder');
      },
    );
  }

  /** Time between two full scans that nothing requests, by the cost of the last one. `isWatched`: no directory lacks a watch. */
  scanEveryMs(last: Pick<FullScan, 'cpuMs' | 'durationMs'> | null, isWatched: boolean): number {
    const { cpuMs, durationMs } = last ?? { cpuMs: 0, durationMs: 0 };
    if (this.#state !== 'events') return Math.max(pollMsMin, durationMs * pollShare);
    const [share, mostMs] = isWatched
      ? [watchedShare, watchedMsMax]
      : [partlyWatchedShare, partlyWatchedMsMax];
    return Math.min(mostMs, Math.max(rescanMsMin, cpuMs * share));
  }
}
