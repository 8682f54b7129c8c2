// The main thread's side of the writer: sends commands, resolves their promises, notifies listeners of commits. When the writer
// ends every waiting and later command fails: nothing is retried without the caller.
import { type MessagePort, Worker } from 'node:worker_threads';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import type { StoreLogger, StoreObserver } from '../database/sqlite.ts';
import type { Command, CommandKind, Input, Result } from '../port/commands.ts';
import { StoreUnavailableError } from '../port/errors.ts';
import type { Commit } from '../port/store.ts';
import type { Outcome } from './group-commit.ts';
import {
  type FromWriter,
  longChanges,
  packCommand,
  type ToWriter,
  unpackOutcome,
  withoutChanges,
} from './writer-messages.ts';

/** Commands that may wait for the writer; further ones are refused as unavailable. */
const pendingCommandsMax = 10_000;
/** A commit allocates many short-lived objects; a larger young generation only stays resident. */
const threadYoungMbMax = 6;

/** The program of the engine's writer, with what it is given. */
export interface WriterThread {
  readonly script: URL;
  readonly workerData: object;
  readonly transferList?: readonly MessagePort[];
}

interface Pending {
  readonly name: CommandKind;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

export class Writer {
  readonly #worker: Worker;
  readonly #logger: StoreLogger;
  readonly #observer: StoreObserver | undefined;
  readonly #onCommit: (commit: Commit) => void;
  readonly #exited: Promise<void>;
  readonly #pending: Pending[] = [];
  #outgoing: Command[] = [];
  #sendsLong = false;
  #drained: (() => void) | null = null;
  /** Why commands are refused; null while the writer runs. */
  #failure: string | null = null;

  private constructor(
    worker: Worker,
    logger: StoreLogger,
    onCommit: (commit: Commit) => void,
    observer: StoreObserver | undefined,
    started: Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>,
  ) {
    this.#worker = worker;
    this.#logger = logger;
    this.#observer = observer;
    this.#onCommit = onCommit;
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'ready') started.resolve();
      else this.#settle(message);
    });
    worker.on('error', (cause) => {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      logger.error({ err: error }, 'the store writer failed');
      this.#fail(error.message);
      started.reject(error);
    });
    this.#exited = new Promise((resolve) => {
      worker.on('exit', (code) => {
        this.#fail('it has ended');
        started.reject(new Error(`the store writer ended with code ${code}`));
        resolve();
      });
    });
  }

  /** Resolves when the writer's thread has opened the database. */
  static async start(
    thread: WriterThread,
    logger: StoreLogger,
    onCommit: (commit: Commit) => void,
    observer?: StoreObserver,
  ): Promise<Writer> {
    const worker = new Worker(thread.script, {
      workerData: thread.workerData,
      transferList: [...(thread.transferList ?? [])],
      name: 'mooring-store-writer',
      resourceLimits: { maxYoungGenerationSizeMb: threadYoungMbMax },
    });
    const started = Promise.withResolvers<void>();
    const writer = new Writer(worker, logger, onCommit, observer, started);
    await started.promise;
    return writer;
  }

  /** false after the writer has ended: the agent reports it and needs a restart. */
  get isAlive(): boolean {
    return this.#failure === null;
  }

  get pendingCommands(): number {
    return this.#pending.length;
  }

  /** Resolves after the COMMIT that made the command durable. */
  send<Kind extends CommandKind>(name: Kind, input: Input<Kind>): Promise<Result<Kind>> {
    if (this.#failure !== null) return Promise.reject(unavailable(this.#failure));
    if (this.#pending.length >= pendingCommandsMax) {
      return Promise.reject(new StoreUnavailableError('the store has more waiting writes than it takes'));
    }
    return new Promise((resolve, reject) => {
      this.#pending.push({ name, resolve, reject });
      // Commands of one turn of the event loop are one message.
      if (this.#outgoing.length === 0) setImmediate(() => this.#post());
      this.#outgoing.push({ name, input } as Command);
    });
  }

  /** Waits for what was sent, then ends the thread. */
  async close(): Promise<void> {
    if (this.#pending.length > 0 && this.#failure === null) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    if (this.#failure === null) {
      this.#failure = 'it is closed';
      this.#worker.postMessage({ kind: 'close' } satisfies ToWriter);
    }
    await this.#exited;
  }

  #post(): void {
    if (this.#sendsLong) return;
    const commands = this.#outgoing;
    this.#outgoing = [];
    if (commands.every((command) => longChanges(command) === null)) this.#postCommands(commands);
    else void this.#postLong(commands);
  }

  #postCommands(commands: readonly Command[]): void {
    if (commands.length === 0) return;
    this.#postMessage({ kind: 'commands', commands: commands.map(packCommand) });
  }

  #postMessage(message: ToWriter): void {
    if (this.#failure === null) this.#worker.postMessage(message);
  }

  /** Each message is a turn of its own. Later commands wait, so that the order is preserved. */
  async #postLong(commands: readonly Command[]): Promise<void> {
    this.#sendsLong = true;
    for (const command of commands) {
      for (const changes of longChanges(command) ?? []) {
        this.#postMessage({ kind: 'changes', changes });
        await yieldToEventLoop();
      }
      this.#postCommands([longChanges(command) === null ? command : withoutChanges(command)]);
    }
    this.#sendsLong = false;
    this.#post();
  }

  #settle(message: Extract<FromWriter, { kind: 'committed' }>): void {
    // Groups are answered in the order in which their commands were sent.
    const settled = this.#pending.splice(0, message.outcomes.length);
    let refused = false;
    settled.forEach((pending, index) => {
      const sent = message.outcomes[index];
      if (sent === undefined) throw new Error('the writer answered without an outcome');
      const outcome = unpackOutcome(sent);
      if (!outcome.ok && outcome.unavailable) refused = true;
      settle(pending, outcome, this.#logger);
    });
    if (refused) {
      this.#observer?.storeCommitFailed();
    } else this.#observer?.storeCommitted(settled.length, message.tookMs / 1000);
    if (message.names.length > 0) {
      for (const name of new Set(message.names)) this.#observer?.slowQuery(name);
      // Not a warning: a busy machine is slow, and no action helps. The metric counts it.
      this.#logger.info(
        { names: message.names, commands: settled.length, tookMs: Math.round(message.tookMs) },
        'slow commit',
      );
    }
    if (message.touched !== null) this.#onCommit(message.touched);
    if (this.#pending.length === 0) this.#drained?.();
  }

  #fail(reason: string): void {
    this.#failure ??= reason;
    const waiting = this.#pending.splice(0);
    for (const pending of waiting) pending.reject(unavailable(this.#failure));
    if (waiting.length > 0) {
      this.#logger.error({ waiting: waiting.length }, 'the store writer ended with commands waiting');
    }
    this.#drained?.();
  }
}

function settle(pending: Pending, outcome: Outcome, logger: StoreLogger): void {
  if (outcome.ok) pending.resolve(outcome.result as never);
  else if (outcome.unavailable) {
    logger.error({ command: pending.name, cause: outcome.message }, 'the store could not commit');
    pending.reject(
      new StoreUnavailableError(`the store could not commit: ${outcome.message}`, { fault: outcome.fault }),
    );
  } else {
    const error = new Error(`the store failed at ${pending.name}: ${outcome.message}`);
    error.stack = outcome.stack;
    pending.reject(error);
  }
}

function unavailable(reason: string): StoreUnavailableError {
  return new StoreUnavailableError(`the store's writer does not run: ${reason}`);
}
