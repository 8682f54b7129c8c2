// Polls the agent's status. One loop for the whole page, and the only place that decides "offline". The last status stays
// readable while offline.
import type { AgentStatus } from '../../server/contract/agent.ts';
import type { CurrentUser } from '../../server/contract/users.ts';
import { Observable } from './observable.ts';

/** While a mirror scans or syncs, and otherwise. */
const busyPollMs = 1_000;
const idlePollMs = 5_000;
/** Minimum time between status requests caused by events. */
const refreshMsMin = 300;
const retryMsByAttempt = [1_000, 2_000, 4_000, 8_000, 15_000] as const;

export interface LinkState {
  readonly phase: 'connecting' | 'online' | 'offline';
  readonly status: AgentStatus | null;
  /** Who is signed in; known whenever the status is. */
  readonly viewer: CurrentUser | null;
  readonly lastAnswerAtMs: number | null;
  /** While offline: time of the next attempt. */
  readonly nextAttemptAtMs: number | null;
  /** Message of an error response. */
  readonly refusal: string | null;
}

/** Classification of a failed status request. */
export type Failure =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly message: string };

export interface StatusAnswer {
  readonly status: AgentStatus;
  readonly viewer: CurrentUser;
}

export interface LinkOptions {
  readonly readStatus: (signal: AbortSignal) => Promise<StatusAnswer>;
  readonly classify: (error: unknown) => Failure;
  readonly onSignedOut: () => void;
  readonly onBackOnline: () => void;
}

export class AgentLink {
  readonly state = new Observable<LinkState>({
    phase: 'connecting',
    status: null,
    viewer: null,
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

  /** Requests the status soon, because of an event. While offline the countdown continues. */
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
      this.#answered(await this.#options.readStatus(this.#abort.signal));
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#failed(this.#options.classify(error));
    } finally {
      this.#asking = false;
    }
    if (this.#abort.signal.aborted) return;
    if (this.#askAgain) this.tryNow();
  }

  #answered({ status, viewer }: StatusAnswer): void {
    const wasOffline = this.state.get().phase === 'offline';
    this.#attempt = 0;
    this.state.set({
      phase: 'online',
      status,
      viewer,
      lastAnswerAtMs: Date.now(),
      nextAttemptAtMs: null,
      refusal: null,
    });
    if (wasOffline) this.#options.onBackOnline();
    const isBusy = status.mirrors.some((mirror) => mirror.state === 'scanning' || mirror.state === 'syncing');
    this.#schedule(isBusy ? busyPollMs : idlePollMs);
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
