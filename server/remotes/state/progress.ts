// Measures how far a sync of many files is: files and bytes that were sent or received, their rate, and the time that the rest takes.
import { type Amount, paceOf, type Reading, timeLeftMs, withReading } from '../../core/sync/pace.ts';
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
  /** Large files on their way, and how much of them has moved. */
  readonly #moving = new Map<string, { readonly bytes: number; readonly sizeBytes: number }>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** A file is the same on both sides now. `bytes`: that were sent or received for it. */
  add(path: string, bytes: number): void {
    this.#moving.delete(path);
    this.#files += 1;
    this.#bytes += bytes;
    this.#readings = withReading(this.#readings, this.#reading());
  }

  /** So much of a large file has been sent or received. */
  moved(path: string, bytes: number, sizeBytes: number): void {
    this.#moving.set(path, { bytes, sizeBytes });
    this.#readings = withReading(this.#readings, this.#reading());
  }

  /** Its transfer has ended before its end. */
  forget(path: string): void {
    this.#moving.delete(path);
  }

  /** What follows is measured from here. */
  restart(): void {
    this.#files = 0;
    this.#bytes = 0;
    this.#total = 0;
    this.#moving.clear();
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
      bytesDone: now.bytes,
      filesPerSecond: pace?.filesPerSecond ?? null,
      bytesPerSecond: pace?.bytesPerSecond ?? null,
      leftMs: left === null ? null : timeLeftMs(pace, this.#left()),
    };
  }

  /** Small files by their number, and what is left of the large ones. */
  #left(): Amount {
    let bytes = 0;
    for (const large of this.#moving.values()) bytes += large.sizeBytes - large.bytes;
    return { files: Math.max(0, this.#total - this.#files - this.#moving.size), bytes };
  }

  #reading(): Reading {
    let bytes = this.#bytes;
    for (const large of this.#moving.values()) bytes += large.bytes;
    return { atMs: this.#clock.monotonicMs(), files: this.#files, bytes };
  }
}
