// Threads of the server that a test's process uses again: to start one takes 60 to 100 ms of processor time, and most tests of the store,
// of the API and of mirrors start some.
import { EventEmitter, once } from 'node:events';
import {
  MessageChannel,
  type MessagePort,
  type ResourceLimits,
  type Transferable,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads';

/**
 * What ends a thread whose run is terminated. A program that closes its port as the last thing that it does leaves its thread to the next run
 * in any case.
 * - `thread`: the thread ends, as its own would.
 * - `run`: nobody needs its answers then, and it holds nothing but ports. They are closed, and another run follows.
 * - `nothing`: it serves nobody then, and the same run serves the next.
 */
type Terminated = 'thread' | 'run' | 'nothing';

/** By the name of the program. The threads of others are used once. */
const programs: ReadonlyMap<string, Terminated> = new Map([
  ['writer-thread', 'thread'],
  ['hub-writer-thread', 'thread'],
  ['search-thread', 'thread'],
  ['link-thread', 'run'],
  ['read-thread', 'run'],
  ['worker', 'nothing'],
]);

/** A thread that waits for a network does not end by itself. */
const endMsMax = 2_000;

/** A program that is loaded again leaves its code behind. */
const runsMax = 50;

interface Run {
  readonly port: MessagePort;
  /** Its messages come through the port, so both ends count. A thread that dies closes its port, too. */
  readonly ends: Set<'port' | 'thread'>;
}

/** As `new Worker(script, options)`. */
export function startThread(script: URL, options: WorkerOptions): Worker {
  const program = /([\w-]+)\.mjs$/.exec(script.pathname)?.[1] ?? '';
  const terminated = programs.get(program);
  if (terminated === undefined) return new Worker(script, options);
  const { name = '', resourceLimits = {} } = options;
  const key = JSON.stringify([program, name, resourceLimits]);
  const host = idle.get(key)?.pop() ?? new Host(key, terminated, name, resourceLimits);
  // It has the part of a thread that the code of the server uses.
  return new ReusedThread(host, script, options) as unknown as Worker;
}

const idle = new Map<string, Host[]>();

class Host {
  readonly worker: Worker;
  readonly terminated: Terminated;
  thread: ReusedThread | null = null;
  run: Run | null = null;
  readonly #key: string;
  #runs = 0;
  #rests: (isAlive: boolean) => void = () => undefined;

  constructor(key: string, terminated: Terminated, name: string, resourceLimits: ResourceLimits) {
    this.#key = key;
    this.terminated = terminated;
    this.worker = new Worker(new URL('./thread-host.mjs', import.meta.url), { name, resourceLimits });
    this.worker.unref();
    this.worker.on('message', (message: 'online' | 'ended' | 'rests') => {
      if (message === 'online') this.thread?.emit('online');
      else if (message === 'rests') this.#rests(true);
      else this.#endedAt('thread');
    });
    this.worker.on('error', (error) => this.thread?.emit('error', error));
    this.worker.on('exit', (code) => {
      idle.set(
        key,
        idleOf(key).filter((other) => other !== this),
      );
      this.#leave(code);
      this.#rests(false);
    });
  }

  start(script: URL, workerData: unknown, transferList: readonly Transferable[]): Run {
    this.#runs += 1;
    const { port1, port2 } = new MessageChannel();
    const run: Run = { port: port1, ends: new Set() };
    this.run = run;
    port1.on('message', (message: unknown) => this.thread?.emit('message', message));
    port1.on('messageerror', (error: Error) => this.thread?.emit('messageerror', error));
    port1.once('close', () => this.#endedAt('port'));
    this.worker.postMessage({ script: script.href, workerData, port: port2, env: { ...process.env } }, [
      port2,
      ...transferList,
    ]);
    return run;
  }

  /** Resolves when the run has ended, or the thread. */
  async end(thread: ReusedThread): Promise<void> {
    const overdue = setTimeout(() => void this.worker.terminate(), endMsMax);
    this.worker.postMessage('end');
    await once(thread, 'exit');
    clearTimeout(overdue);
  }

  /** Resolves when the thread has nothing to do at once, or has died. */
  async rest(): Promise<void> {
    const rests = Promise.withResolvers<boolean>();
    this.#rests = rests.resolve;
    this.worker.postMessage('rests?');
    if (!(await rests.promise)) return;
    this.#leave(0);
    this.#wait();
  }

  #endedAt(end: 'port' | 'thread'): void {
    this.run?.ends.add(end);
    if (this.run === null || this.run.ends.size < 2) return;
    this.run = null;
    this.#leave(0);
    if (this.#runs < runsMax) this.#wait();
    else void this.worker.terminate();
  }

  #wait(): void {
    idle.set(this.#key, [...idleOf(this.#key), this]);
  }

  #leave(code: number): void {
    const { thread } = this;
    this.thread = null;
    thread?.emit('exit', code);
  }
}

class ReusedThread extends EventEmitter {
  readonly #host: Host;
  readonly #port: MessagePort;

  constructor(host: Host, script: URL, { workerData, transferList = [] }: WorkerOptions) {
    super();
    this.#host = host;
    host.thread = this;
    this.#port = (host.run ?? host.start(script, workerData, transferList)).port;
    this.ref();
  }

  postMessage(value: unknown, transfer: readonly Transferable[] = []): void {
    this.#port.postMessage(value, transfer);
  }

  async terminate(): Promise<number> {
    const host = this.#host;
    if (host.thread !== this) return 0;
    if (host.terminated === 'thread') return await host.worker.terminate();
    await (host.terminated === 'run' ? host.end(this) : host.rest());
    return 0;
  }

  ref(): void {
    this.#port.ref();
  }

  unref(): void {
    this.#port.unref();
  }
}

function idleOf(key: string): readonly Host[] {
  return idle.get(key) ?? [];
}
