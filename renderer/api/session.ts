// The sign-in session of this tab: a bearer token in sessionStorage, from a single-use code in the fragment of the address or
// from the desktop app, renewed while the tab is open. Never a cookie, never in the address bar.
import { MooringClient, MooringError } from '../../sdk/index.ts';
import type { SignInToken } from '../../server/contract/agent.ts';
import { Observable } from './observable.ts';

const storageKey = 'mooring.session';
const codeParameter = 'sign-in';
/** A token is renewed at half of its lifetime, but never in a tight loop. */
const renewMsMin = 10_000;
const renewRetryMs = 15_000;
/** A token that becomes invalid sooner than this after the sign-in is not replaced. */
const replaceMsMin = 10_000;
/** The maximum delay of a browser timer. */
const timerMsMax = 2_147_483_647;

export type SessionState =
  | { readonly kind: 'signing-in' }
  | { readonly kind: 'signed-in'; readonly token: string }
  /** `link-used`: the code was used or is older than 60 s. `expired`: the token is no longer valid. */
  | { readonly kind: 'signed-out'; readonly reason: 'none' | 'link-used' | 'expired' | 'unreachable' };

/** The requests of a session; null: refused by the agent. */
export interface SessionCalls {
  exchange(code: string): Promise<SignInToken | null>;
  renew(token: string): Promise<SignInToken | null>;
  /** The desktop app creates codes for its own page; null while it cannot. Absent in a browser. */
  newCode?(): Promise<string | null>;
}

/** The session of the agent at `baseUrl`. */
export function createSession(baseUrl: string, newCode?: SessionCalls['newCode']): Session {
  const refusedAsNull = async (call: Promise<SignInToken>): Promise<SignInToken | null> => {
    try {
      return await call;
    } catch (error) {
      if (error instanceof MooringError && error.status < 500) return null;
      throw error;
    }
  };
  return new Session({
    exchange: async (code) => await refusedAsNull(new MooringClient({ baseUrl }).agent.signIn.exchange(code)),
    renew: async (token) => await refusedAsNull(new MooringClient({ baseUrl, token }).agent.signIn.renew()),
    ...(newCode === undefined ? {} : { newCode }),
  });
}

export class Session {
  readonly state = new Observable<SessionState>({ kind: 'signing-in' });
  readonly #calls: SessionCalls;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #signedInAtMs = Number.NEGATIVE_INFINITY;

  constructor(calls: SessionCalls) {
    this.#calls = calls;
  }

  /** The current token; empty when signed out. */
  token = (): string => {
    const state = this.state.get();
    return state.kind === 'signed-in' ? state.token : '';
  };

  /** Removes the code from the address bar first, so that it never stays in the browser history. */
  async start(): Promise<void> {
    const code = takeCode();
    const stored = code === null ? readStored() : null;
    if (stored !== null) this.#signedIn(stored);
    else await this.#signIn(code);
  }

  /** The agent rejects the token. The desktop app replaces it automatically, unless it is new. */
  end(): void {
    const isNew = Date.now() - this.#signedInAtMs < replaceMsMin;
    this.#end('expired');
    if (this.#calls.newCode !== undefined && !isNew) void this.#signIn(null);
  }

  /** Never rejects: every outcome becomes a state. */
  async #signIn(given: string | null): Promise<void> {
    this.state.set({ kind: 'signing-in' });
    try {
      const code = given ?? (await this.#calls.newCode?.()) ?? null;
      if (code === null && this.#calls.newCode === undefined) {
        this.#end('none');
        return;
      }
      if (code === null) throw new Error('the desktop app has no agent to ask for a code');
      const token = await this.#calls.exchange(code);
      if (token === null) this.#end('link-used');
      else {
        this.#signedInAtMs = Date.now();
        this.#signedIn(token);
      }
    } catch {
      this.#end('unreachable');
      // The desktop app retries, because it needs no code from the user.
      if (this.#calls.newCode !== undefined) {
        this.#timer = setTimeout(() => void this.#signIn(null), renewRetryMs);
      }
    }
  }

  #end(reason: 'none' | 'link-used' | 'expired' | 'unreachable'): void {
    clearTimeout(this.#timer);
    sessionStorage.removeItem(storageKey);
    this.state.set({ kind: 'signed-out', reason });
  }

  #signedIn(token: SignInToken): void {
    sessionStorage.setItem(storageKey, JSON.stringify(token));
    this.state.set({ kind: 'signed-in', token: token.token });
    const leftMs = Date.parse(token.expiresAt) - Date.now();
    this.#renewIn(Math.max(renewMsMin, leftMs / 2), token);
  }

  #renewIn(delayMs: number, token: SignInToken): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#renew(token), Math.min(delayMs, timerMsMax));
  }

  /** Never rejects: while the agent does not respond it retries until the token expires. */
  async #renew(token: SignInToken): Promise<void> {
    try {
      const fresh = await this.#calls.renew(token.token);
      if (fresh === null) this.end();
      else this.#signedIn(fresh);
    } catch {
      if (Date.parse(token.expiresAt) <= Date.now()) this.end();
      else this.#renewIn(renewRetryMs, token);
    }
  }
}

function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get(codeParameter);
  if (code === null) return null;
  history.replaceState(null, '', location.pathname);
  return code === '' ? null : code;
}

function readStored(): SignInToken | null {
  const text = sessionStorage.getItem(storageKey);
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  const valid =
    typeof value === 'object' &&
    value !== null &&
    'token' in value &&
    typeof value.token === 'string' &&
    'expiresAt' in value &&
    typeof value.expiresAt === 'string' &&
    Date.parse(value.expiresAt) > Date.now();
  return valid ? (value as SignInToken) : null;
}
