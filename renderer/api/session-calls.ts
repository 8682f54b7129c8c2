// The requests of the sign-in session: with a key that the browser keeps, with codes of the desktop app, or, in a page without WebCrypto,
// with a token that is kept for the tab.
import { MooringClient, MooringError } from '../../sdk/index.ts';
import type { SignInToken } from '../../server/contract/agent.ts';
import { canKeepKey, forgetKey, keepSession, keptSession, publicKey, signChallenge } from './browser-key.ts';

const storageKey = 'mooring.session';

/** null: refused by the agent. Rejects when the agent does not answer. */
export interface SessionCalls {
  /** Starts a session with the code of a sign-in link. */
  exchange(code: string): Promise<SignInToken | null>;
  /** The next token of this browser's session. `none`: it has no session. */
  refresh(current: SignInToken | null): Promise<SignInToken | 'none' | null>;
  /** Ends the session of this browser; `all`: those of all browsers. */
  end(token: string, all: boolean): Promise<void>;
  /** This browser has no session from now on. */
  forget(): Promise<void>;
  /** The desktop app creates codes for its own page; null while it cannot. Absent in a browser. */
  newCode?(): Promise<string | null>;
}

export function createSessionCalls(baseUrl: string, newCode?: SessionCalls['newCode']): SessionCalls {
  const { signIn } = new MooringClient({ baseUrl, retry: { retries: 0 } }).agent;
  const withToken = (token: string) => new MooringClient({ baseUrl, token }).agent.signIn;
  const end: SessionCalls['end'] = async (token, all) => {
    const calls = withToken(token);
    if (all) await calls.endAllSessions();
    else {
      const current = (await calls.sessions()).find(({ isCurrent }) => isCurrent);
      if (current !== undefined) await calls.endSession(current.sessionId);
    }
  };
  if (newCode === undefined && canKeepKey()) return { ...keyedCalls(signIn), end };
  const renew = async (token: string) => await refusedAsNull(withToken(token).renew());
  const exchange = async (code: string) => await refusedAsNull(signIn.exchange(code));
  if (newCode !== undefined) {
    const refresh: SessionCalls['refresh'] = async (current) =>
      current === null ? 'none' : await renew(current.token);
    return { newCode, end, exchange, refresh, forget: async () => undefined };
  }
  return { end, ...tabCalls(exchange, renew) };
}

type SignInCalls = MooringClient['agent']['signIn'];

/** For a browser that keeps a key. */
function keyedCalls(signIn: SignInCalls): Omit<SessionCalls, 'end' | 'newCode'> {
  return {
    exchange: async (code) => {
      const token = await refusedAsNull(signIn.exchange(code, { publicKey: await publicKey() }));
      if (token !== null) await keepSession(token.sessionId);
      return token;
    },
    refresh: async () => {
      const sessionId = await keptSession();
      if (sessionId === null) return 'none';
      const made = await refusedAsNull(signIn.challenge(sessionId));
      if (made === null) return null;
      const { challenge } = made;
      const signature = await signChallenge(sessionId, challenge);
      return await refusedAsNull(signIn.refresh({ sessionId, challenge, signature }));
    },
    forget: forgetKey,
  };
}

/** For a page that cannot keep a key: the token is kept for the tab. */
function tabCalls(
  exchange: (code: string) => Promise<SignInToken | null>,
  renew: (token: string) => Promise<SignInToken | null>,
): Pick<SessionCalls, 'exchange' | 'refresh' | 'forget'> {
  const kept = (token: SignInToken | null): SignInToken | null => {
    if (token !== null) sessionStorage.setItem(storageKey, token.token);
    return token;
  };
  return {
    exchange: async (code) => kept(await exchange(code)),
    refresh: async (current) => {
      const token = current?.token ?? sessionStorage.getItem(storageKey);
      return token === null ? 'none' : kept(await renew(token));
    },
    forget: async () => sessionStorage.removeItem(storageKey),
  };
}

/** 401 and 403 are refusals; other errors are not about the session. */
async function refusedAsNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof MooringError && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}
