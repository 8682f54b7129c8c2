// Measures how far a sync of many files is: files and bytes that were sent or received, their rate, and the time that the rest takes.
import { paceOf, type Reading, timeLeftMs, withReading } from '../../core/sync/pace.ts';
import type { Clock } from '../../platform/clock.ts';

export interface RemoteProgress {
  readonly done: number;
  /** null: not all of it is known yet. */
  readonly total: number | null;
  readonly bytesDone: number;
  /** null: not measured long enough. */
  readonly filesPerSecond: number | null;
  readonly bytesPerSecond: number | null;
  readonly leftMs: number | null;
}

export class Progress {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #readings: readonly Reading[] = [];
  #files = 0;
  #bytes = 0;
  #total = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** A file is the same on both sides now. `bytes`: that were sent or received for it. */
  add(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    this.#readings = withReading(this.#readings, this.#reading());
  }

  /** What follows is measured from here. */
  restart(): void {
    this.#files = 0;
    this.#bytes = 0;
    this.#total = 0;
    this.#readings = [this.#reading()];
  }

  /** `left`: files that wait; null: not all of them are known. */
  read(left: number | null): RemoteProgress {
    // What is being sent does not wait any more, and is not done yet.
    this.#total = Math.max(this.#total, this.#files + (left ?? 0));
    const now = this.#reading();
    const pace = paceOf(this.#readings, now);
    return {
      done: this.#files,
      total: left === null ? null : this.#total,
      bytesDone: this.#bytes,
      filesPerSecond: pace?.filesPerSecond ?? null,
      bytesPerSecond: pace?.bytesPerSecond ?? null,
      leftMs: left === null ? null : timeLeftMs(pace, { files: this.#total - this.#files, bytes: 0 }),
    };
  }

  #reading(): Reading {
    return { atMs: this.#clock.monotonicMs(), files: this.#files, bytes: this.#bytes };
  }
}
