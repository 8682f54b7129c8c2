// Whether file watching works for a mirror, why not, and how often a full scan is therefore due (docs/sync-rules.md#6,
// docs/sync-rules.md#22). It scans nothing itself.
import type { Folder, WatchState, WatchTrouble } from '../../disk/port/folder.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import type { FullScan } from '../cycle/folder-state.ts';
import type { ProcessorShare } from '../state/processor-shares.ts';

const watchedMsMax = 24 * 3_600_000;
const rescanMsMin = 30_000;
/** Half a percent for each such mirror, but often: changes of another machine on a network disk, or in a directory without a watch, give no event. */
const partlyWatchedShare = 200;
const partlyWatchedMsMax = 10 * 60_000;
/** Without hints only scans find changes: two percent. */
const pollMsMin = 2000;
const pollShare = 50;
/** So many times as long as the cycle took; a file that is put back is seen after five seconds at most. */
const haltedRestShare = 9;
const haltedRestMsMax = 5000;

export class WatchMode {
  readonly #mirrorId: string;
  readonly #dir: string;
  readonly #logger: Logger;
  readonly #scans: ProcessorShare;
  readonly #onChange: () => void;
  #state: WatchState = 'polling';
  #trouble: WatchTrouble | null = null;

  /** `scans`: the share of the full scans of all mirrors. `onChange`: hints may have been lost, or begin now. */
  constructor(
    { mirrorId, dir }: Pick<MirrorRow, 'mirrorId' | 'dir'>,
    logger: Logger,
    scans: ProcessorShare,
    onChange: () => void,
  ) {
    this.#mirrorId = mirrorId;
    this.#dir = dir;
    this.#logger = logger;
    this.#scans = scans;
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
    if (this.#state === 'events' && isWatched) {
      const restMs = this.#scans.restMs(this.#mirrorId, cpuMs);
      return Math.min(watchedMsMax, Math.max(rescanMsMin, restMs));
    }
    this.#scans.leave(this.#mirrorId);
    if (this.#state !== 'events') return Math.max(pollMsMin, durationMs * pollShare);
    return Math.min(partlyWatchedMsMax, Math.max(rescanMsMin, cpuMs * partlyWatchedShare));
  }

  /** Time until a halted mirror, in whose folder nothing changes, is scanned again, by the time of its last cycle that scanned everything:
   * planning many deletions costs more than the scan. A halt may last for days. */
  haltedPauseMs(cycleMs: number): number {
    this.#scans.leave(this.#mirrorId);
    return Math.max(pollMsMin, cycleMs * pollShare);
  }

  /** Least time between two looks of a halted mirror at what changes in its folder or its workspace: each plans all deletions again. */
  haltedRestMs(cycleMs: number): number {
    return Math.min(haltedRestMsMax, cycleMs * haltedRestShare);
  }

  /** Nothing is scanned until the next one. */
  sessionEnded(): void {
    this.#scans.leave(this.#mirrorId);
  }
}
