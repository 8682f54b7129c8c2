// What a mirror's loop is to do next, and its sleep until then: hints and wishes wake it, time does when it is due. Only flags:
// ten hints are one look. It never does anything itself.
import type { Clock } from '../../platform/clock.ts';

export type WorkKind = 'full' | 'dirty' | 'remote';

export class PendingWork {
  readonly #clock: Pick<Clock, 'delay'>;
  readonly #needs = new Set<WorkKind>();
  #wake = Promise.withResolvers<void>();

  constructor(clock: Pick<Clock, 'delay'>) {
    this.#clock = clock;
  }

  get any(): boolean {
    return this.#needs.size > 0;
  }

  add(need: WorkKind): void {
    this.#needs.add(need);
    this.wakeUp();
  }

  wakeUp(): void {
    this.#wake.resolve();
  }

  /**
   * What has to be scanned for all that is needed; null: nothing of the folder. Nothing is needed afterwards, and only what comes
   * from now on ends the next sleep.
   */
  take(): 'full' | 'dirty' | null {
    const scope = this.#needs.has('full') ? 'full' : this.#needs.has('dirty') ? 'dirty' : null;
    this.#needs.clear();
    this.#wake = Promise.withResolvers();
    return scope;
  }

  /** Until something wakes it or the time is over, which is then a need of its own. null: however long it takes. */
  async sleep(ms: number | null, timerNeed: WorkKind): Promise<void> {
    const timer = new AbortController();
    const wake = this.#wake;
    const timeUp =
      ms === null
        ? new Promise<boolean>(() => undefined)
        : this.#clock.delay(ms, timer.signal).then(() => !timer.signal.aborted);
    const byTime = await Promise.race([timeUp, wake.promise.then(() => false)]);
    timer.abort();
    if (this.#wake === wake) this.#wake = Promise.withResolvers();
    if (byTime) this.#needs.add(timerNeed);
  }
}
