// Keeps one agent process alive: forks it, waits for its handshake, sees that it goes on answering, restarts it when it
// dies. Knows Electron only as a `fork` function, so that every rule here is tested without it. It never touches the
// agent's data.
//
// The handshake (server/utility.ts is the other end):
//   host -> agent  {command: 'start', masterKey}   begin; the key (base64, or null) seals what is secret
//   agent -> host  {event: 'ready', url, ownerToken}   it answers requests at this address, to this token all of them
//   agent -> host  {event: 'failed', reason}   it could not start; it ends by itself
//   host -> agent  {command: 'stop'}   finish what runs, close the store, end
import type { AgentState } from './ipc-contract.ts';

/** The part of Electron's UtilityProcess that is used here. */
export interface HostedProcess {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  postMessage(message: unknown): void;
  kill(): boolean;
}

export interface Clock {
  /** Milliseconds that never go backwards. */
  now(): number;
  /** Calls back after a pause; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

export interface AgentHostOptions {
  readonly fork: () => HostedProcess;
  readonly clock: Clock;
  readonly onState: (state: AgentState) => void;
  /** Told of each end that nobody asked for, before the state that follows from it. */
  readonly onCrash: (crash: AgentCrash) => void;
  /** Whether the agent at this address answers; false when it takes too long. Never rejects. */
  readonly isHealthy: (url: string) => Promise<boolean>;
  /** base64 of the key that seals secrets; null where there is no keychain. Read at each start. */
  readonly masterKey: () => string | null;
}

export interface AgentCrash {
  readonly reason: string;
  /** Ends in a row, this one included. */
  readonly failures: number;
}

const readyDeadlineMs = 60_000;
/** Above what the agent takes at most to finish its requests. */
const stopDeadlineMs = 30_000;
const healthEveryMs = 10_000;
/** Answers that fail to come in a row before the process is replaced: a minute, in which a slow disk may recover. */
export const healthMissesMax = 6;
const firstRestartDelayMs = 500;
const restartDelayMsMax = 30_000;
/** An agent that was ready for this long has proved itself: its next failure counts as the first. */
const provenAfterMs = 60_000;
/** Starts in a row that failed before the host gives up and says so. */
export const failuresMax = 8;

/** The pause before a restart: doubles with each failure in a row (1, 2, ...), up to 30 s. */
export function restartDelayMs(failures: number): number {
  return Math.min(firstRestartDelayMs * 2 ** (failures - 1), restartDelayMsMax);
}

export class AgentHost {
  readonly #options: AgentHostOptions;
  #state: AgentState = { kind: 'stopped' };
  #child: HostedProcess | undefined;
  #failures = 0;
  #readySince: number | undefined;
  #ownerToken: string | undefined;
  #reason: string | undefined;
  #cancelTimer: () => void = () => undefined;
  #whenStopped: PromiseWithResolvers<void> | undefined;

  constructor(options: AgentHostOptions) {
    this.#options = options;
  }

  get state(): AgentState {
    return this.#state;
  }

  /** For the main process's own requests; never for a page. undefined while the agent is not ready. */
  get ownerToken(): string | undefined {
    return this.#state.kind === 'ready' ? this.#ownerToken : undefined;
  }

  /** Starts the agent if it is stopped or given up on; otherwise does nothing. */
  start(): void {
    if (this.#state.kind !== 'stopped' && this.#state.kind !== 'failed') return;
    if (this.#child !== undefined) return;
    this.#failures = 0;
    this.#launch();
  }

  /** Asks the agent to end, insists after 30 s, and resolves when it is gone. It is not restarted. */
  async stop(): Promise<void> {
    this.#cancelTimer();
    const child = this.#child;
    if (child === undefined) {
      this.#setState({ kind: 'stopped' });
      return;
    }
    if (this.#whenStopped === undefined) {
      this.#whenStopped = Promise.withResolvers<void>();
      child.postMessage({ command: 'stop' });
      this.#cancelTimer = this.#options.clock.after(stopDeadlineMs, () => child.kill());
    }
    await this.#whenStopped.promise;
  }

  #launch(): void {
    this.#setState({ kind: 'starting' });
    this.#readySince = undefined;
    this.#reason = undefined;
    const child = this.#options.fork();
    this.#child = child;
    child.on('message', (message) => {
      if (this.#child === child) this.#hear(message);
    });
    child.once('exit', (code) => {
      if (this.#child === child) this.#ended(code);
    });
    child.postMessage({ command: 'start', masterKey: this.#options.masterKey() });
    this.#cancelTimer = this.#options.clock.after(readyDeadlineMs, () => {
      this.#reason = `not ready within ${readyDeadlineMs / 1000} s`;
      child.kill();
    });
  }

  #hear(message: unknown): void {
    const heard = parseMessage(message);
    if (heard?.event === 'failed') this.#reason = heard.reason;
    if (heard?.event === 'ready' && this.#state.kind === 'starting' && this.#whenStopped === undefined) {
      this.#cancelTimer();
      this.#readySince = this.#options.clock.now();
      this.#ownerToken = heard.ownerToken;
      this.#setState({ kind: 'ready', url: heard.url });
      this.#watchHealth(heard.url, 0);
    }
  }

  #watchHealth(url: string, misses: number): void {
    const child = this.#child;
    const goesOn = () => this.#child === child && this.#whenStopped === undefined;
    if (!goesOn()) return;
    this.#cancelTimer = this.#options.clock.after(healthEveryMs, () => {
      void this.#options.isHealthy(url).then((healthy) => {
        if (!goesOn()) return;
        const missed = healthy ? 0 : misses + 1;
        if (missed < healthMissesMax) {
          this.#watchHealth(url, missed);
          return;
        }
        this.#reason = `did not answer ${healthMissesMax} times in a row`;
        child?.kill();
      });
    });
  }

  #ended(code: number): void {
    this.#child = undefined;
    this.#cancelTimer();
    if (this.#whenStopped !== undefined) {
      this.#setState({ kind: 'stopped' });
      this.#whenStopped.resolve();
      this.#whenStopped = undefined;
      return;
    }
    const proven =
      this.#readySince !== undefined && this.#options.clock.now() - this.#readySince >= provenAfterMs;
    this.#failures = proven ? 1 : this.#failures + 1;
    const reason = this.#reason ?? `ended with exit code ${code}`;
    this.#options.onCrash({ reason, failures: this.#failures });
    if (this.#failures >= failuresMax) {
      this.#setState({ kind: 'failed', reason });
      return;
    }
    const delayMs = restartDelayMs(this.#failures);
    this.#setState({ kind: 'restarting', attempt: this.#failures, delayMs, reason });
    this.#cancelTimer = this.#options.clock.after(delayMs, () => this.#launch());
  }

  #setState(state: AgentState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}

type AgentMessage =
  | { readonly event: 'ready'; readonly url: string; readonly ownerToken: string }
  | { readonly event: 'failed'; readonly reason: string };

/** A message is input: what is not one of the two is ignored, and only an address of this machine is believed. */
function parseMessage(message: unknown): AgentMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { event, url, ownerToken, reason } = message as Record<string, unknown>;
  if (event === 'failed' && typeof reason === 'string') return { event, reason };
  if (event !== 'ready' || typeof ownerToken !== 'string' || typeof url !== 'string') return undefined;
  return /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/.test(url) ? { event, url, ownerToken } : undefined;
}
