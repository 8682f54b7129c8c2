// Asks the agent for its status again and again, and so knows whether it answers. One loop for the whole page;
// it is the only place that decides "offline". What was last known is kept and stays readable.
import type { AgentStatus } from '../../server/contract/agent.ts';
import { Observable } from './observable.ts';

/** While something moves, and while all is calm. */
const busyPollMs = 1_000;
const idlePollMs = 5_000;
/** Events ask for a fresh status at most this often. */
const refreshMsMin = 300;
const retryMsByAttempt = [1_000, 2_000, 4_000, 8_000, 15_000] as const;

export interface LinkState {
  readonly phase: 'connecting' | 'online' | 'offline';
  readonly status: AgentStatus | null;
  readonly lastAnswerAtMs: number | null;
  /** While offline: when the next try begins. */
  readonly nextAttemptAtMs: number | null;
  /** The agent answered, but with an error: its message. */
  readonly refusal: string | null;
}

/** How a failed status request is to be read. */
export type Failure =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly message: string };

export interface LinkOptions {
  readonly readStatus: (signal: AbortSignal) => Promise<AgentStatus>;
  readonly classify: (error: unknown) => Failure;
  readonly onSignedOut: () => void;
  readonly onBackOnline: () => void;
}

export class AgentLink {
  readonly state = new Observable<LinkState>({
    phase: 'connecting',
    status: null,
    lastAnswerAtMs: null,
    nextAttemptAtMs: null,
    refusal: null,
  });
  readonly #options: LinkOptions;
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  #asking = false;
  #askAgain = false;
  #lastAskedAtMs = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  start(): void {
    this.tryNow();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  /** Something has changed: read the status soon. While offline the count-down goes on. */
  refreshSoon(): void {
    if (this.state.get().phase === 'offline') return;
    this.#schedule(Math.max(0, this.#lastAskedAtMs + refreshMsMin - Date.now()));
  }

  tryNow(): void {
    clearTimeout(this.#timer);
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    void this.#ask();
  }

  /** Never rejects: every outcome becomes a state. */
  async #ask(): Promise<void> {
    this.#asking = true;
    this.#askAgain = false;
    this.#lastAskedAtMs = Date.now();
    try {
      const status = await this.#options.readStatus(this.#abort.signal);
      this.#answered(status);
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#failed(this.#options.classify(error));
    } finally {
      this.#asking = false;
    }
    if (this.#abort.signal.aborted) return;
    if (this.#askAgain) this.tryNow();
  }

  #answered(status: AgentStatus): void {
    const wasOffline = this.state.get().phase === 'offline';
    this.#attempt = 0;
    this.state.set({
      phase: 'online',
      status,
      lastAnswerAtMs: Date.now(),
      nextAttemptAtMs: null,
      refusal: null,
    });
    if (wasOffline) this.#options.onBackOnline();
    const moving = status.mirrors.some((mirror) => mirror.state === 'scanning' || mirror.state === 'syncing');
    this.#schedule(moving ? busyPollMs : idlePollMs);
  }

  #failed(failure: Failure): void {
    if (failure.kind === 'signed-out') {
      this.#options.onSignedOut();
      return;
    }
    const waitMs = retryMsByAttempt[Math.min(this.#attempt, retryMsByAttempt.length - 1)] ?? idlePollMs;
    this.#attempt += 1;
    const state = this.state.get();
    if (failure.kind === 'refused') {
      this.state.set({
        ...state,
        phase: 'online',
        refusal: failure.message,
        nextAttemptAtMs: Date.now() + waitMs,
      });
    } else {
      this.state.set({ ...state, phase: 'offline', refusal: null, nextAttemptAtMs: Date.now() + waitMs });
    }
    this.#schedule(waitMs);
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.tryNow(), delayMs);
  }
}
