// Whether the system tells a mirror of changes, why not, and how often it must therefore look by itself (sync-engine rules 6
// and 22). It never looks and never decides about files.
import type { Folder, WatchState, WatchTrouble } from '../../disk/port/folder.ts';
import type { Logger } from '../../platform/observe/logger.ts';

/** A full scan may take about half a percent of one processor's time. */
const rescanShare = 200;
const rescanMsMin = 30_000;
const rescanMsMax = 10 * 60_000;
/** Without hints scans are all there is. */
const pollMsMin = 2000;
const pollShare = 50;

export class WatchMode {
  readonly #dir: string;
  readonly #logger: Logger;
  readonly #onChange: () => void;
  #state: WatchState = 'polling';
  #trouble: WatchTrouble | null = null;

  /** `onChange`: hints may have been lost, or begin only now. */
  constructor(dir: string, logger: Logger, onChange: () => void) {
    this.#dir = dir;
    this.#logger = logger;
    this.#onChange = onChange;
  }

  get state(): WatchState {
    return this.#state;
  }
  /** null: the system tells of changes, or it is not known yet why it does not. */
  get trouble(): WatchTrouble | null {
    return this.#trouble;
  }

  /** The folder's side tells by itself. */
  told(state: WatchState, trouble: WatchTrouble | null): void {
    this.#state = state;
    this.#trouble = trouble;
    if (state === 'polling')
      this.#logger.warn(
        { dir: this.#dir, ...trouble },
        'the folder is polled: the system tells of no changes',
      );
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
        // A session that ended closed its folder in the middle of it.
        if (ended.aborted) return;
        this.#state = 'polling';
        this.#logger.warn({ err: error, dir: this.#dir }, 'the folder cannot be watched and is polled');
      },
    );
  }

  /** How often everything is scanned without a reason. `scanMs`: what the last one took. */
  lookEveryMs(scanMs: number): number {
    return this.#state === 'events'
      ? Math.min(rescanMsMax, Math.max(rescanMsMin, scanMs * rescanShare))
      : Math.max(pollMsMin, scanMs * pollShare);
  }
}
