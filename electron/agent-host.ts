// Supervises one agent process: forks it, waits for its handshake, checks its health, restarts it when it exits. Knows Electron
// only as a `fork` function, so that tests need no Electron. It never touches the agent's data.
//
// The handshake (server/utility.ts is the other end):
//   host -> agent  {command: 'start', masterKey}   start; the key (base64, or null) encrypts secrets
//   agent -> host  {event: 'ready', url, ownerToken}   it accepts requests at this URL; the token has all permissions
//   agent -> host  {event: 'failed', reason}   it could not start and exits
//   host -> agent  {command: 'stop'}   finish running requests, close the store, exit
import type { AgentState } from './ipc-contract.ts';

/** The part of Electron's UtilityProcess that is used here. */
export interface HostedProcess {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  postMessage(message: unknown): void;
  kill(): boolean;
}

export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls back after a delay; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

export interface AgentHostOptions {
  readonly fork: () => HostedProcess;
  readonly clock: Clock;
  readonly onState: (state: AgentState) => void;
  /** Called for each unexpected exit, before the resulting state. */
  readonly onCrash: (crash: AgentCrash) => void;
  /** Whether the agent at this URL responds in time. Never rejects. */
  readonly isHealthy: (url: string) => Promise<boolean>;
  /** base64 of the key that encrypts secrets; null without a keychain. Read at each start. */
  readonly masterKey: () => string | null;
}

export interface AgentCrash {
  readonly reason: string;
  /** Consecutive exits, including this one. */
  readonly failures: number;
}

const readyDeadlineMs = 60_000;
/** Longer than the agent needs to finish its requests. */
const stopDeadlineMs = 30_000;
const healthEveryMs = 10_000;
/** Consecutive failed health checks before the process is replaced: one minute, in which a slow disk may recover. */
export const healthMissesMax = 6;
const firstRestartDelayMs = 500;
const restartDelayMsMax = 30_000;
/** After this time ready, the next failure counts as the first. */
const stableAfterMs = 60_000;
/** Consecutive failures after which the host stops restarting. */
export const failuresMax = 8;

/** The delay before a restart: doubles with each consecutive failure (1, 2, ...), up to 30 s. */
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

  /** For requests of the main process, never for a page. undefined while the agent is not ready. */
  get ownerToken(): string | undefined {
    return this.#state.kind === 'ready' ? this.#ownerToken : undefined;
  }

  /** Starts the agent if it is stopped or failed; otherwise does nothing. */
  start(): void {
    if (this.#state.kind !== 'stopped' && this.#state.kind !== 'failed') return;
    if (this.#child !== undefined) return;
    this.#failures = 0;
    this.#launch();
  }

  /** Asks the agent to stop, kills it after 30 s, and resolves when it has exited. It is not restarted. */
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
      if (this.#child === child) this.#onMessage(message);
    });
    child.once('exit', (code) => {
      if (this.#child === child) this.#onExit(code);
    });
    child.postMessage({ command: 'start', masterKey: this.#options.masterKey() });
    this.#cancelTimer = this.#options.clock.after(readyDeadlineMs, () => {
      this.#reason = `not ready within ${readyDeadlineMs / 1000} s`;
      child.kill();
    });
  }

  #onMessage(message: unknown): void {
    const parsed = parseMessage(message);
    if (parsed?.event === 'failed') this.#reason = parsed.reason;
    if (parsed?.event === 'ready' && this.#state.kind === 'starting' && this.#whenStopped === undefined) {
      this.#cancelTimer();
      this.#readySince = this.#options.clock.now();
      this.#ownerToken = parsed.ownerToken;
      this.#setState({ kind: 'ready', url: parsed.url });
      this.#watchHealth(parsed.url, 0);
    }
  }

  #watchHealth(url: string, misses: number): void {
    const child = this.#child;
    const isCurrent = () => this.#child === child && this.#whenStopped === undefined;
    if (!isCurrent()) return;
    this.#cancelTimer = this.#options.clock.after(healthEveryMs, () => {
      void this.#options.isHealthy(url).then((healthy) => {
        if (!isCurrent()) return;
        const missed = healthy ? 0 : misses + 1;
        if (missed < healthMissesMax) {
          this.#watchHealth(url, missed);
          return;
        }
        this.#reason = `${healthMissesMax} consecutive health checks failed`;
        child?.kill();
      });
    });
  }

  #onExit(code: number): void {
    this.#child = undefined;
    this.#cancelTimer();
    if (this.#whenStopped !== undefined) {
      this.#setState({ kind: 'stopped' });
      this.#whenStopped.resolve();
      this.#whenStopped = undefined;
      return;
    }
    const wasStable =
      this.#readySince !== undefined && this.#options.clock.now() - this.#readySince >= stableAfterMs;
    this.#failures = wasStable ? 1 : this.#failures + 1;
    const reason = this.#reason ?? `exited with code ${code}`;
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

/** A message is input: unknown messages are ignored, and the URL must be a loopback address. */
function parseMessage(message: unknown): AgentMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { event, url, ownerToken, reason } = message as Record<string, unknown>;
  if (event === 'failed' && typeof reason === 'string') return { event, reason };
  if (event !== 'ready' || typeof ownerToken !== 'string' || typeof url !== 'string') return undefined;
  return /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/.test(url) ? { event, url, ownerToken } : undefined;
}
