// The sign-in session of this page: a short-lived token in memory, refreshed while the page is open. Never a cookie, never in the address
// bar. The tabs of a browser sign in and out together.
import type { SignInToken } from '../../server/contract/agent.ts';
import { Observable } from './observable.ts';
import { createSessionCalls, type SessionCalls } from './session-calls.ts';
import { onPastedLink, takeCode } from './sign-in-link.ts';

export type { SessionCalls } from './session-calls.ts';

/** A token is renewed at half of its lifetime, but never in a tight loop. */
const renewMsMin = 10_000;
const renewRetryMs = 15_000;
/** A token that becomes invalid sooner than this after the sign-in is not replaced. */
const replaceMsMin = 10_000;
/** A token that ends sooner is renewed before it is used: after a sleep of the machine. */
const usableMsMin = 2_000;
/** The maximum delay of a browser timer. */
const timerMsMax = 2_147_483_647;
const channelName = 'mooring.sign-in';

type Reason = 'none' | 'link-used' | 'expired' | 'ended' | 'unreachable';
export type SessionState =
  | { readonly kind: 'signing-in' }
  | { readonly kind: 'signed-in' }
  /** `link-used`: the code was used or is older than 60 s. `expired`: the session is over. `ended`: by a sign-out in this browser. */
  | { readonly kind: 'signed-out'; readonly reason: Reason };

/** The session of the agent at `baseUrl`. */
export function createSession(baseUrl: string, newCode?: SessionCalls['newCode']): Session {
  return new Session(createSessionCalls(baseUrl, newCode), new BroadcastChannel(channelName));
}

export class Session {
  readonly state = new Observable<SessionState>({ kind: 'signing-in' });
  readonly #calls: SessionCalls;
  readonly #tabs: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
  #current: SignInToken | null = null;
  #refreshing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #signedInAtMs = Number.NEGATIVE_INFINITY;

  constructor(calls: SessionCalls, tabs: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>) {
    this.#calls = calls;
    this.#tabs = tabs;
  }

  /** The current token; empty when signed out. */
  token = async (): Promise<string> => {
    if (this.#current !== null && msLeft(this.#current) < usableMsMin) await this.#refresh();
    return this.#current?.token ?? '';
  };

  /** Removes the code from the address bar first, so that it never stays in the browser history. */
  async start(): Promise<void> {
    onPastedLink((code) => void this.#signIn(code));
    this.#tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#onOtherTab(data));
    await this.#signIn(takeCode());
  }

  /** The agent rejects the token. It is replaced automatically if the session still exists, unless it is new. */
  end(): void {
    if (Date.now() - this.#signedInAtMs < replaceMsMin) this.#end('expired');
    else if (this.#calls.newCode === undefined) void this.#refresh();
    else void this.#signIn(null);
  }

  /** Signs this browser out; `all`: all browsers. Rejects when the agent does not answer. */
  async signOut(all: boolean): Promise<void> {
    await this.#calls.end(await this.token(), all);
    await this.#calls.forget();
    this.#tabs.postMessage('signed-out');
    this.#end('ended');
  }

  #onOtherTab(message: unknown): void {
    const isSignedOut = this.state.get().kind === 'signed-out';
    if (message === 'signed-out' && !isSignedOut) this.#end('ended');
    if (message === 'signed-in' && isSignedOut) void this.#signIn(null);
  }

  /** Never rejects: every outcome becomes a state. A page that is signed in stays so while it signs in again. */
  async #signIn(link: string | null): Promise<void> {
    if (this.#current === null) this.state.set({ kind: 'signing-in' });
    try {
      const code = link ?? (await this.#calls.newCode?.()) ?? null;
      if (code === null && this.#calls.newCode !== undefined)
        throw new Error('the desktop app has no agent to ask for a code');
      const started = code === null ? null : await this.#calls.exchange(code);
      const token = started ?? (await this.#calls.refresh(this.#current));
      if (token === null || token === 'none') await this.#signedOut(code, token);
      else this.#signedIn(token);
      if (started !== null) this.#tabs.postMessage('signed-in');
    } catch {
      this.#unreachable();
    }
  }

  async #signedOut(code: string | null, answer: null | 'none'): Promise<void> {
    // The agent does not know the session of the stored key any more.
    if (answer === null) await this.#calls.forget();
    this.#end(code === null ? (answer === 'none' ? 'none' : 'expired') : 'link-used');
  }

  /** One at a time. Never rejects: while the agent does not respond it retries until the token expires. */
  async #refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = null;
    });
    await this.#refreshing;
  }

  async #refreshOnce(): Promise<void> {
    const before = this.#current;
    try {
      const token = await this.#calls.refresh(before);
      // Signed out, or signed in again, meanwhile.
      if (before === null || this.#current !== before) return;
      if (token !== null && token !== 'none') this.#signedIn(token);
      else if (this.#calls.newCode !== undefined) await this.#signIn(null);
      else await this.#signedOut(null, null);
    } catch {
      if (this.#current === before) this.#refreshIn(renewRetryMs);
    }
  }

  /** Retries: the browser keeps its session, and the desktop app needs no code from the user. */
  #unreachable(): void {
    if (this.#current === null) this.state.set({ kind: 'signed-out', reason: 'unreachable' });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#signIn(null), renewRetryMs);
  }

  #end(reason: Reason): void {
    clearTimeout(this.#timer);
    this.#current = null;
    this.state.set({ kind: 'signed-out', reason });
  }

  #signedIn(token: SignInToken): void {
    this.#signedInAtMs = Date.now();
    this.#current = token;
    if (this.state.get().kind !== 'signed-in') this.state.set({ kind: 'signed-in' });
    this.#refreshIn(Math.max(renewMsMin, msLeft(token) / 2));
  }

  #refreshIn(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), Math.min(delayMs, timerMsMax));
  }
}

function msLeft(token: SignInToken): number {
  return Date.parse(token.expiresAt) - Date.now();
}
