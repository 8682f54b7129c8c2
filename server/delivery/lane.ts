// A delivery lane: sends tasks to one target, several at once, with a circuit breaker. It leases due tasks, sends them and stores
// their results; after any interruption a task is sent again under the same key. The task source decides what a task is and what a
// result means.
import {
  afterFailure,
  type Circuit,
  canBeOwnFault,
  circuitState,
  closedCircuit,
  failuresToOpen,
} from '../core/outbound/circuit.ts';
import type { DeliveryTarget, LaneDeps, LaneResult, LaneStatus, TaskSource } from './lane-port.ts';

/** Things that are under way at once. */
const concurrency = 4;
/** Beyond the longest attempt; also covers the reading of a large content. */
const leaseMarginMs = 60_000;
/** The pause after a fault of the store, and the longest sleep before the next check for due items. */
const faultPauseMs = 1_000;
const longestSleepMs = 60_000;

export class DeliveryLane<Thing> {
  readonly #deps: LaneDeps;
  readonly #work: TaskSource<Thing>;
  readonly #stopping = new AbortController();
  /** Calls, and the ends of calls on their way into the store. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #settling = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  /** How often the settings changed: what a call under older ones came to says nothing of the new. */
  #settings = 0;
  #circuit: Circuit = closedCircuit;
  #woken = false;
  #wakeUp: (() => void) | null = null;

  constructor(deps: LaneDeps, work: TaskSource<Thing>) {
    this.#deps = deps;
    this.#work = work;
    this.#running = this.#run();
  }

  wake(): void {
    this.#woken = true;
    this.#wakeUp?.();
  }

  /** Corrected settings are tried at once: a change ends the pause of the circuit and of every thing. */
  settingsChanged(): void {
    this.#circuit = closedCircuit;
    this.#settings += 1;
    this.#retryNow();
  }

  /** Of many failures the circuit still remembers: one call finds out. */
  hurry(): void {
    this.#circuit = { ...this.#circuit, pausedUntilMs: null };
    this.wake();
  }

  status(): LaneStatus {
    const circuit = circuitState(this.#circuit, this.#deps.clock.nowMs());
    return { circuit, retryAtMs: circuit === 'open' ? this.#circuit.pausedUntilMs : null };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#running;
  }

  #retryNow(): void {
    if (this.#stopping.signal.aborted) return;
    const retrying = (this.#work.retryNow?.() ?? Promise.resolve())
      .catch((error: unknown) => {
        this.#deps.logger.error({ err: error, ...this.#work.about() }, 'what waits keeps its pause');
      })
      .finally(() => {
        this.#settling.delete(retrying);
        this.wake();
      });
    this.#settling.add(retrying);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#woken = false;
      let sleepMs: number;
      try {
        sleepMs = await this.#step();
      } catch (error) {
        this.#deps.logger.error({ err: error, ...this.#work.about() }, 'outbound items have to wait');
        sleepMs = faultPauseMs;
      }
      await this.#sleep(sleepMs);
    }
    await Promise.all(this.#underWay);
    await Promise.all(this.#settling);
  }

  /** Begins what can be begun; how long there is nothing to do afterwards. */
  async #step(): Promise<number> {
    const { clock } = this.#deps;
    const target = await this.#work.target();
    if (target === null) return longestSleepMs;
    const nowMs = clock.nowMs();
    const state = circuitState(this.#circuit, nowMs);
    if (state === 'open') return (this.#circuit.pausedUntilMs ?? nowMs) - nowMs;
    const limit = (state === 'half_open' ? 1 : concurrency) - this.#underWay.size;
    if (limit <= 0) return longestSleepMs;
    const leaseMs = target.timeoutMs + leaseMarginMs;
    const things = await this.#work.lease({ atMs: nowMs, leaseMs, limit });
    for (const thing of things) this.#begin(target, thing);
    // Others may be due right now; each call that ends wakes the lane anyway.
    if (things.length > 0) return state === 'half_open' ? longestSleepMs : 0;
    const dueMs = await this.#work.nextDueMs();
    return dueMs === null ? longestSleepMs : Math.max(dueMs - clock.nowMs(), 0);
  }

  #begin(target: DeliveryTarget<Thing>, thing: Thing): void {
    const call = this.#call(target, thing)
      // The next one is leased in the same commit that settles this one: it does not wait for it.
      .then((end) => {
        if (end !== null) this.#finishInBackground(thing, end);
      })
      .catch((error: unknown) => {
        // The lease expires, and the thing is sent again under the same key.
        this.#deps.logger.error({ err: error, ...this.#work.about(thing) }, 'an item could not be sent');
      })
      .finally(() => {
        this.#underWay.delete(call);
        this.wake();
      });
    this.#underWay.add(call);
  }

  /** null: it was broken off, and is running until the next start takes it back, or was canceled meanwhile. */
  async #call(target: DeliveryTarget<Thing>, thing: Thing): Promise<LaneResult | null> {
    const { clock, random } = this.#deps;
    const startedAtMs = clock.monotonicMs();
    const settings = this.#settings;
    const { end, called } = await target.deliver(thing, this.#stopping.signal);
    const { retryAfterMs } = end;
    const isOutdated = settings !== this.#settings && called && end.outcome.kind !== 'delivered';
    const outcome: LaneResult['outcome'] = isOutdated
      ? { ...end.outcome, kind: 'unavailable' as const }
      : end.outcome;
    if (this.#stopping.signal.aborted && outcome.kind === 'unavailable') return null;
    const key = this.#work.keyOf(thing);
    const counts = canBeOwnFault(this.#circuit, key);
    const atMs = clock.nowMs();
    if (isOutdated) {
      // The new address has not been called yet.
    } else if (outcome.kind === 'failed' || outcome.kind === 'unavailable') {
      this.#circuit = afterFailure(this.#circuit, { item: key, atMs, random: random(), retryAfterMs });
      this.#tellPause(thing, outcome.message);
    } else if (called) this.#close();
    const tookSeconds = (clock.monotonicMs() - startedAtMs) / 1000;
    return { outcome, counts, isOutdated, random: random(), atMs, tookSeconds };
  }

  /** Each pause is logged with its cause and its end: the log shows when nothing was sent, and why. */
  #tellPause(thing: Thing, reason: string): void {
    const { failures, pausedUntilMs } = this.#circuit;
    if (pausedUntilMs === null) return;
    const { logger, clock } = this.#deps;
    const fields = { ...this.#work.about(thing), failures, reason };
    const pauseMs = pausedUntilMs - clock.nowMs();
    logger.warn(
      { ...fields, pauseMs, retryAt: new Date(pausedUntilMs).toISOString() },
      'the circuit is open: an address is left alone for a while',
    );
  }

  #close(): void {
    const { failures } = this.#circuit;
    this.#circuit = closedCircuit;
    if (failures < failuresToOpen) return;
    this.#deps.logger.info(
      { ...this.#work.about(), failures },
      'the circuit is closed: an address answers again',
    );
  }

  #finishInBackground(thing: Thing, end: LaneResult): void {
    const settling = this.#work
      .finish(thing, end)
      .then(() => {
        if (end.isOutdated) this.#retryNow();
      })
      .catch((error: unknown) => {
        this.#deps.logger.error(
          { err: error, ...this.#work.about(thing) },
          'the end of an attempt was not stored',
        );
      })
      .finally(() => {
        this.#settling.delete(settling);
        this.wake();
      });
    this.#settling.add(settling);
  }

  /** Ends when the time is over or the lane is woken; at once when it was woken meanwhile. */
  async #sleep(sleepMs: number): Promise<void> {
    if (this.#woken || sleepMs <= 0 || this.#stopping.signal.aborted) return;
    const over = new AbortController();
    this.#wakeUp = () => over.abort();
    await this.#deps.clock.delay(Math.min(sleepMs, longestSleepMs), over.signal);
    over.abort();
    this.#wakeUp = null;
  }
}
