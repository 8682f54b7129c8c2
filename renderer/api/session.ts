// The sign-in session of this page: a short-lived token in memory, refreshed while the page is open. Never a cookie, never in the address
// bar. The tabs of a browser sign in and out together.
import type { SignInToken } from '../../server/contract/agent.ts';
import { Observable } from './observable.ts';
import { takeReturn } from './openid.ts';
import { createSessionCalls, type SessionCalls, type SignInBy, SignInRefusal } from './session-calls.ts';
import { onPastedLink, type SignInLink, takeLink } from './sign-in-link.ts';

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

type Reason = 'none' | 'link-used' | 'invite-used' | 'refused' | 'expired' | 'ended' | 'unreachable';
export type SessionState =
  | { readonly kind: 'signing-in' }
  /** Another session has another id: of another user. */
  | { readonly kind: 'signed-in'; readonly sessionId: string }
  /** The page was opened with an invite link, and is signed in: another user would take its place. */
  | {
      readonly kind: 'asking';
      /** Names of users. */
      readonly invited: string;
      readonly current: string;
      readonly accept: () => void;
      readonly decline: () => void;
    }
  /** `link-used`: the code was used or is older than 60 s. `invite-used`: the same of an invite link and seven days. `refused`: by the OpenID provider, or for `refusal`. `expired`: the session is over. `ended`: by a sign-out in this browser. */
  | { readonly kind: 'signed-out'; readonly reason: Reason; readonly refusal: string | null };

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
    onPastedLink((link) => void this.#open(link));
    this.#tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#onOtherTab(data));
    await this.#open(takeReturn() ?? takeLink());
  }

  /** The sender of an invite link must not make a signed-in person another user without a question. */
  async #open(by: SignInBy | null): Promise<void> {
    const users = by?.kind === 'invite' ? await this.#replaces(by.secret) : null;
    if (users === null) return await this.#signIn(by);
    clearTimeout(this.#timer);
    this.#current = null;
    this.state.set({
      kind: 'asking',
      ...users,
      accept: () => void this.#signIn(by),
      decline: () => void this.#signIn(null),
    });
  }

  /** null: the browser is not signed in, it is the same user, or the invite is refused. */
  async #replaces(invite: string): Promise<{ readonly invited: string; readonly current: string } | null> {
    try {
      const token = this.#current ?? (await this.#calls.refresh(null));
      if (token === null || token === 'none') return null;
      const [invited, current] = await Promise.all([
        this.#calls.invited(invite),
        this.#calls.userOf(token.token),
      ]);
      return invited === null || invited === current ? null : { invited, current: current ?? 'the owner' };
    } catch {
      return null;
    }
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
    // Another user may have signed in there.
    if (message === 'signed-in' && this.#calls.newCode === undefined) void this.#signIn(null);
  }

  /** Never rejects: every outcome becomes a state. A page that is signed in stays so while it signs in again. */
  async #signIn(by: SignInBy | null): Promise<void> {
    if (this.#current === null) this.state.set({ kind: 'signing-in' });
    try {
      const used = by ?? (await this.#linkOfDesktop());
      const started = used === null ? null : await this.#calls.exchange(used);
      const token = started ?? (await this.#calls.refresh(this.#current));
      if (token === null || token === 'none') await this.#signedOut(used, token);
      else this.#signedIn(token);
      if (started !== null) this.#tabs.postMessage('signed-in');
    } catch (error) {
      if (error instanceof SignInRefusal) this.#end('refused', error.message);
      else this.#unreachable();
    }
  }

  /** null: a browser, which gets no codes. */
  async #linkOfDesktop(): Promise<SignInLink | null> {
    if (this.#calls.newCode === undefined) return null;
    const secret = await this.#calls.newCode();
    if (secret === null) throw new Error('the desktop app has no agent to ask for a code');
    return { kind: 'sign-in', secret };
  }

  async #signedOut(by: SignInBy | null, answer: null | 'none'): Promise<void> {
    // The agent does not know the session of the stored key any more.
    if (answer === null) await this.#calls.forget();
    if (by === null) this.#end(answer === 'none' ? 'none' : 'expired');
    else this.#end(by.kind === 'invite' ? 'invite-used' : 'link-used');
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
    if (this.#current === null) this.state.set({ kind: 'signed-out', reason: 'unreachable', refusal: null });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#signIn(null), renewRetryMs);
  }

  /** `refusal`: the words of the agent. */
  #end(reason: Reason, refusal: string | null = null): void {
    clearTimeout(this.#timer);
    this.#current = null;
    this.state.set({ kind: 'signed-out', reason, refusal });
  }

  #signedIn(token: SignInToken): void {
    this.#signedInAtMs = Date.now();
    this.#current = token;
    const state = this.state.get();
    // Each code of the desktop app starts a session of the same owner.
    const sessionId = this.#calls.newCode === undefined ? token.sessionId : '';
    if (state.kind !== 'signed-in' || state.sessionId !== sessionId)
      this.state.set({ kind: 'signed-in', sessionId });
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
