// How fast a count grows, from what was seen in the last seconds. Pure but for its own memory.

const windowMs = 10_000;
const samplesMax = 64;

interface Sample {
  readonly atMs: number;
  readonly done: number;
}

export interface Rate {
  readonly perSecond: number;
  /** null while the rate says nothing yet. */
  readonly leftMs: number | null;
}

export class ProgressRate {
  #samples: readonly Sample[] = [];

  /** Takes in a reading; a count that fell belongs to new work and begins a new measurement. */
  add(done: number, atMs: number): void {
    const last = this.#samples.at(-1);
    const kept = last !== undefined && done < last.done ? [] : this.#samples;
    this.#samples = [...kept, { atMs, done }]
      .filter((sample) => atMs - sample.atMs <= windowMs)
      .slice(-samplesMax);
  }

  /** null until two readings at least half a second apart exist. */
  read(total: number): Rate | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < 500) return null;
    const perSecond = ((last.done - first.done) * 1000) / (last.atMs - first.atMs);
    return { perSecond, leftMs: perSecond > 0 ? ((total - last.done) * 1000) / perSecond : null };
  }
}
