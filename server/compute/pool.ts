// A worker pool: few threads, a bounded queue, a time limit per job. Threads start on demand and end after an idle time. It does not
// know what a job computes.
import { Worker } from 'node:worker_threads';
import type { Clock } from '../platform/clock.ts';
import { type JobInput, type JobName, type JobOutput, jobs } from './jobs.ts';
import type { FromPoolThread, ToPoolThread } from './pool-messages.ts';
import { type Compute, ComputeError, type ComputeFailure, type RunOptions } from './port.ts';

/** Maximum number of threads: the store's writer and the disk workers also need processors. */
const threadsMax = 2;
/** Jobs that may wait for a thread; a further job fails as `busy`. */
const queueMax = 64;
/** A job that waits longer for a thread fails as `busy`. */
const waitMsMax = 10_000;
/** An idle thread ends after this time and releases its memory. */
const idleThreadMs = 30_000;
/**
 * Heap of one thread. It does not protect the process: at this limit V8 may end the process instead of the thread. The limits of the
 * inputs bound what a job needs.
 */
const threadHeapMbMax = 1024;
/** Most objects of a job are short-lived; a larger young generation would stay resident. */
const threadYoungMbMax = 16;

export interface PoolOptions {
  readonly clock: Clock;
  readonly threadsMax?: number;
  readonly queueMax?: number;
  readonly waitMsMax?: number;
  /** Replaces the script of the threads, in tests. */
  readonly script?: URL;
}

interface Task {
  readonly message: ToPoolThread;
  readonly timeLimitMs: number;
  /** Ends the timers and listeners of the task. */
  readonly ended: AbortController;
  /** Ends the timer of its wait in the queue. */
  readonly started: AbortController;
  readonly resolve: (output: never) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  /** The script is loaded; the time limit of a job starts only then. */
  isReady: boolean;
  task: Task | null;
  /** Ends the timer of its idle time. */
  busy: AbortController;
}

export class WorkerPool implements Compute {
  readonly #clock: Clock;
  readonly #threadsMax: number;
  readonly #queueMax: number;
  readonly #waitMsMax: number;
  readonly #script: URL;
  readonly #threads = new Set<Thread>();
  readonly #queue: Task[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    this.#clock = options.clock;
    this.#threadsMax = options.threadsMax ?? threadsMax;
    this.#queueMax = options.queueMax ?? queueMax;
    this.#waitMsMax = options.waitMsMax ?? waitMsMax;
    this.#script = options.script ?? new URL('./pool-thread.ts', import.meta.url);
  }

  async run<Name extends JobName>(
    name: Name,
    input: JobInput<Name>,
    options: RunOptions = {},
  ): Promise<JobOutput<Name>> {
    const job = jobs[name];
    if (this.#closed) throw failure('closed');
    if (options.signal?.aborted === true) throw failure('aborted');
    if (job.isSmall(input)) return job.run(input);
    const hasIdleThread = [...this.#threads].some(({ task }) => task === null);
    const isFull = this.#threads.size >= this.#threadsMax && !hasIdleThread;
    if (isFull && this.#queue.length >= this.#queueMax) throw failure('busy');
    return await new Promise<JobOutput<Name>>((resolve, reject) => {
      const task: Task = {
        message: { name, input },
        timeLimitMs: options.timeLimitMs ?? job.timeLimitMs,
        ended: new AbortController(),
        started: new AbortController(),
        resolve,
        reject,
      };
      const onAbort = () => this.#cancel(task, 'aborted');
      options.signal?.addEventListener('abort', onAbort, { once: true });
      task.ended.signal.addEventListener('abort', () =>
        options.signal?.removeEventListener('abort', onAbort),
      );
      this.#queue.push(task);
      this.#after(this.#waitMsMax, task.started.signal, () => this.#cancel(task, 'busy'));
      this.#startNext();
    });
  }

  /** Ends all threads; waiting and running jobs reject as `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#queue.splice(0)) end(task, () => task.reject(failure('closed')));
    await Promise.all([...this.#threads].map((thread) => this.#endThread(thread, failure('closed'))));
  }

  #startNext(): void {
    while (this.#queue.length > 0) {
      const thread = [...this.#threads].find(({ task }) => task === null) ?? this.#startThread();
      if (thread === null) return;
      const task = this.#queue.shift();
      if (task !== undefined) this.#start(thread, task);
    }
  }

  #start(thread: Thread, task: Task): void {
    task.started.abort();
    thread.busy.abort();
    thread.task = task;
    try {
      thread.worker.postMessage(task.message);
    } catch (error) {
      // A DataCloneError: the input is not plain data. The thread has not received it.
      thread.task = null;
      end(task, () => task.reject(error instanceof Error ? error : new Error(String(error))));
      return;
    }
    // The thread keeps the process alive only while a job runs.
    thread.worker.ref();
    if (thread.isReady) this.#limitTime(task);
  }

  #limitTime(task: Task): void {
    this.#after(task.timeLimitMs, task.ended.signal, () => this.#cancel(task, 'time_limit'));
  }

  /** null: the maximum number of threads is busy. */
  #startThread(): Thread | null {
    if (this.#threads.size >= this.#threadsMax) return null;
    const worker = new Worker(this.#script, {
      name: 'mooring-compute',
      resourceLimits: {
        maxOldGenerationSizeMb: threadHeapMbMax,
        maxYoungGenerationSizeMb: threadYoungMbMax,
      },
    });
    const thread: Thread = { worker, isReady: false, task: null, busy: new AbortController() };
    this.#threads.add(thread);
    worker.on('message', (message: FromPoolThread) => {
      if (message.kind === 'answer') this.#finish(thread, message);
      else this.#ready(thread);
    });
    worker.on('error', (error) => void this.#endThread(thread, threadFailure(error)));
    worker.on(
      'exit',
      (code) => void this.#endThread(thread, new Error(`a compute thread ended with code ${code}`)),
    );
    return thread;
  }

  #ready(thread: Thread): void {
    thread.isReady = true;
    if (thread.task !== null) this.#limitTime(thread.task);
  }

  #finish(thread: Thread, answer: Extract<FromPoolThread, { kind: 'answer' }>): void {
    const { task } = thread;
    if (task === null) return;
    thread.task = null;
    thread.worker.unref();
    thread.busy = new AbortController();
    end(task, () => {
      if (answer.ok) task.resolve(answer.output as never);
      else task.reject(Object.assign(new Error(answer.message), { stack: answer.stack }));
    });
    this.#startNext();
    if (thread.task !== null) return;
    this.#after(idleThreadMs, thread.busy.signal, () => void this.#endThread(thread, failure('closed')));
  }

  /** Removes a waiting task from the queue; ends the thread of a running one. */
  #cancel(task: Task, reason: ComputeFailure): void {
    const queueIndex = this.#queue.indexOf(task);
    if (queueIndex >= 0) {
      this.#queue.splice(queueIndex, 1);
      end(task, () => task.reject(failure(reason)));
      return;
    }
    const thread = [...this.#threads].find((candidate) => candidate.task === task);
    if (thread !== undefined) void this.#endThread(thread, failure(reason));
  }

  async #endThread(thread: Thread, error: Error): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    thread.busy.abort();
    const { task } = thread;
    thread.task = null;
    if (task !== null) end(task, () => task.reject(error));
    if (!this.#closed) this.#startNext();
    await thread.worker.terminate();
  }

  #after(delayMs: number, cancelled: AbortSignal, then: () => void): void {
    void this.#clock.delay(delayMs, cancelled).then(() => {
      if (!cancelled.aborted) then();
    });
  }
}

function end(task: Task, answer: () => void): void {
  task.started.abort();
  task.ended.abort();
  answer();
}

const failureTexts: Readonly<Record<ComputeFailure, string>> = {
  busy: 'all compute threads are busy: try again later',
  time_limit: 'the computation exceeded its time limit',
  memory: 'the computation exceeded the memory limit of a compute thread',
  aborted: 'the computation was aborted',
  closed: 'the agent is stopping',
};

function failure(reason: ComputeFailure): ComputeError {
  return new ComputeError(reason, failureTexts[reason]);
}

function threadFailure(error: unknown): Error {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return failure('memory');
  return error instanceof Error ? error : new Error(String(error));
}
