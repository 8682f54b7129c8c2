// What a mirror's loop has to do next, its sleep until then, and the callers that wait for the mirror to be in sync. Hints and requests
// are flags: ten of them lead to one scan. It executes nothing.
import type { ScanScope } from '../../disk/port/folder.ts';
import type { Clock } from '../../platform/clock.ts';

export type WorkKind = ScanScope | 'remote';

export class PendingWork {
  readonly #clock: Pick<Clock, 'delay'>;
  readonly #kinds = new Set<WorkKind>();
  #wake = Promise.withResolvers<void>();
  /** Also ends a rest. */
  #request = Promise.withResolvers<void>();

  constructor(clock: Pick<Clock, 'delay'>) {
    this.#clock = clock;
  }

  get any(): boolean {
    return this.#kinds.size > 0;
  }

  /** Something has changed. */
  hint(kind: WorkKind): void {
    this.#kinds.add(kind);
    this.#wake.resolve();
  }

  /** A person or a program waits for the answer. */
  request(kind: WorkKind): void {
    this.#kinds.add(kind);
    this.wakeUp();
  }

  wakeUp(): void {
    this.#wake.resolve();
    this.#request.resolve();
  }

  /** Clears the pending work and returns the scan that it requires; null: no scan. Only later work ends the next sleep. */
  take(): ScanScope | null {
    const scope = (['full', 'barrier', 'dirty'] as const).find((kind) => this.#kinds.has(kind)) ?? null;
    this.#kinds.clear();
    this.#wake = Promise.withResolvers();
    this.#request = Promise.withResolvers();
    return scope;
  }

  /** Until the time is over. A hint does not end it, but the next sleep. */
  async rest(ms: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([this.#clock.delay(ms, timer.signal), this.#request.promise]);
    timer.abort();
  }

  /** Until it is woken or the time is over, which adds `timerWork`. null: without a time limit. */
  async sleep(ms: number | null, timerWork: WorkKind): Promise<void> {
    const timer = new AbortController();
    const wake = this.#wake;
    const timeUp =
      ms === null
        ? new Promise<boolean>(() => undefined)
        : this.#clock.delay(ms, timer.signal).then(() => !timer.signal.aborted);
    const isTimeUp = await Promise.race([timeUp, wake.promise.then(() => false)]);
    timer.abort();
    if (this.#wake === wake) this.#wake = Promise.withResolvers();
    if (isTimeUp) this.#kinds.add(timerWork);
  }
}

interface SyncWaiter {
  readonly resolve: (isSynced: boolean) => void;
}

/** Only a cycle that begins after `wait` answers it; a mirror that cannot sync answers false at once. */
export class SyncWaiters {
  readonly #waiters = new Set<SyncWaiter>();

  /** false when the signal comes first. */
  wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: SyncWaiter = {
        resolve: (isSynced) => {
          this.#waiters.delete(waiter);
          signal.removeEventListener('abort', cancel);
          resolve(isSynced);
        },
      };
      const cancel = () => waiter.resolve(false);
      signal.addEventListener('abort', cancel);
      this.#waiters.add(waiter);
    });
  }

  current(): readonly SyncWaiter[] {
    return [...this.#waiters];
  }

  answerAll(isSynced: boolean): void {
    for (const waiter of [...this.#waiters]) waiter.resolve(isSynced);
  }
}
