// The simulation's time and order: everything that would happen at its own pace (a thread's answer, a timer, a commit, a
// person) is a task here, and the seed decides which comes next. Tasks of one lane keep their order. Nothing in it waits for
// real time.
import type { SeededRandom } from '../support/trees.ts';

interface Task {
  readonly label: string;
  readonly run: () => void;
}

interface Timer extends Task {
  readonly atMs: number;
  readonly order: number;
}

const traceTailLines = 4000;
/** While something is under way, time passes in steps of at most this. */
const driftMsMax = 25;

/** What happened, as a running sum over every line, and the last lines for a person. */
class Trace {
  readonly #tail: string[] = [];
  #sum = 0x811c9dc5;
  #lines = 0;

  add(line: string): void {
    for (let at = 0; at < line.length; at += 1) {
      this.#sum = Math.imul(this.#sum ^ line.charCodeAt(at), 0x01000193) >>> 0;
    }
    this.#lines += 1;
    this.#tail.push(line);
    if (this.#tail.length > traceTailLines) this.#tail.shift();
  }

  /** Equal for two runs that did the same in the same order. */
  get digest(): string {
    return `${this.#lines} lines ${this.#sum.toString(16)}`;
  }

  tail(lines: number): readonly string[] {
    return this.#tail.slice(-lines);
  }
}

export class Scheduler {
  readonly random: SeededRandom;
  readonly trace = new Trace();
  readonly #lanes = new Map<string, Task[]>();
  #timers: Timer[] = [];
  #orders = 0;
  #monotonicMs = 0;
  #wallAheadMs = Date.UTC(2026, 0, 1);

  constructor(random: SeededRandom) {
    this.random = random;
  }

  get monotonicMs(): number {
    return this.#monotonicMs;
  }
  /** Milliseconds since 1970 with a fraction: the clock that stamps files. */
  get wallMs(): number {
    return this.#wallAheadMs + this.#monotonicMs;
  }

  /** Sets the wall clock, as people and NTP do. */
  jumpWall(byMs: number): void {
    this.#wallAheadMs += byMs;
    this.trace.add(`the wall clock jumps by ${byMs} ms`);
  }

  pass(ms: number): void {
    this.#monotonicMs += ms;
  }

  chance(oneIn: number): boolean {
    return this.random.below(oneIn) === 0;
  }

  post(lane: string, label: string, run: () => void): void {
    const tasks = this.#lanes.get(lane);
    if (tasks === undefined) this.#lanes.set(lane, [{ label, run }]);
    else tasks.push({ label, run });
  }

  /** Resolves when the lane has come to it; never while `isAlive` says no. */
  hop(lane: string, label: string, isAlive: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.post(lane, label, () => {
        if (isAlive()) resolve();
      });
    });
  }

  /** Returns the function that takes it back. */
  at(delayMs: number, label: string, run: () => void): () => void {
    this.#orders += 1;
    const timer: Timer = { atMs: this.#monotonicMs + Math.max(0, delayMs), order: this.#orders, label, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Lets everything that is ready come to rest, then does one thing. */
  async step(): Promise<void> {
    // Microtasks all run before this resolves; nothing in the simulation waits for anything else.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    const ready = [...this.#lanes].filter(([, tasks]) => tasks.length > 0);
    const next = this.#nextTimer();
    if (ready.length > 0 && this.chance(8)) this.#drift(next);
    const due = next !== null && next.atMs <= this.#monotonicMs;
    if (ready.length === 0 || (due && this.random.below(ready.length + 1) === 0)) {
      if (next !== null) this.#fire(next);
      return;
    }
    const [lane, tasks] = this.random.pick(ready);
    const task = tasks.shift() as Task;
    this.trace.add(`${lane}: ${task.label}`);
    task.run();
  }

  #drift(next: Timer | null): void {
    const untilMs = next === null ? driftMsMax : Math.max(0, next.atMs - this.#monotonicMs);
    this.#monotonicMs += Math.min(untilMs, this.random.below(driftMsMax));
  }

  #nextTimer(): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers) {
      if (
        first === null ||
        timer.atMs < first.atMs ||
        (timer.atMs === first.atMs && timer.order < first.order)
      )
        first = timer;
    }
    return first;
  }

  #fire(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
    this.#monotonicMs = Math.max(this.#monotonicMs, timer.atMs);
    this.trace.add(`${this.#monotonicMs.toFixed(3)} ms: ${timer.label}`);
    timer.run();
  }
}
