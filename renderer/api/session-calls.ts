// The requests of the sign-in session: with a key that the browser keeps, with codes of the desktop app, or, in a page without WebCrypto,
// with a token that is kept for the tab.
import { MooringClient, MooringError } from '../../sdk/index.ts';
import type { SignInToken } from '../../server/contract/agent.ts';
import {
  type BrowserPublicKey,
  canKeepKey,
  forgetKey,
  keepSession,
  keptSession,
  publicKey,
} from './browser-key.ts';
import type { OpenIdReturn } from './openid.ts';
import type { SignInLink } from './sign-in-link.ts';

const storageKey = 'mooring.session';
const refusals: readonly number[] = [401, 403, 409];

/** How a browser signs in. */
export type SignInBy = SignInLink | OpenIdReturn;

/** A refusal whose message is shown. */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal';
}

/** null: refused by the agent. Rejects when the agent does not answer. */
export interface SessionCalls {
  /** Starts a session with a link, or with the answer of a provider. Rejects with a SignInRefusal where there are words for it. */
  exchange(by: SignInBy): Promise<SignInToken | null>;
  /** The next token of this browser's session. `none`: it has no session. */
  refresh(current: SignInToken | null): Promise<SignInToken | 'none' | null>;
  /** The name of the user whom an invite signs in; null: refused. The invite stays valid. */
  invited(invite: string): Promise<string | null>;
  /** The name of the user of a token; null: the owner. */
  userOf(token: string): Promise<string | null>;
  /** Ends the session of this browser; `all`: those of all browsers. */
  end(token: string, all: boolean): Promise<void>;
  /** This browser has no session from now on. */
  forget(): Promise<void>;
  /** The desktop app creates codes for its own page; null while it cannot. Absent in a browser. */
  newCode?(): Promise<string | null>;
}

export function createSessionCalls(baseUrl: string, newCode?: SessionCalls['newCode']): SessionCalls {
  const client = new MooringClient({ baseUrl, retry: { retries: 0 } });
  const withToken = (token: string) => new MooringClient({ baseUrl, token }).agent.signIn;
  const end: SessionCalls['end'] = async (token, all) => {
    const calls = withToken(token);
    if (all) await calls.endAllSessions();
    else {
      const current = (await calls.sessions()).find(({ isCurrent }) => isCurrent);
      if (current !== undefined) await calls.endSession(current.sessionId);
    }
  };
  const shared: Pick<SessionCalls, 'end' | 'invited' | 'userOf'> = {
    end,
    invited: async (invite) => (await refusedAsNull(client.users.lookUpInvite(invite)))?.name ?? null,
    userOf: async (token) => (await new MooringClient({ baseUrl, token }).users.me()).user?.name ?? null,
  };
  if (newCode === undefined && canKeepKey()) return { ...keyedCalls(client), ...shared };
  const renew = async (token: string) => await refusedAsNull(withToken(token).renew());
  const exchange = async (by: SignInBy) => await exchangeBy(client, by);
  if (newCode !== undefined) {
    const refresh: SessionCalls['refresh'] = async (current) =>
      current === null ? 'none' : await renew(current.token);
    return { newCode, exchange, refresh, forget: async () => undefined, ...shared };
  }
  return { ...tabCalls(exchange, renew), ...shared };
}

async function exchangeBy(
  client: MooringClient,
  by: SignInBy,
  publicKey?: BrowserPublicKey,
): Promise<SignInToken | null> {
  const key = publicKey === undefined ? {} : { publicKey };
  return by.kind === 'openid' ? await finishOpenId(client, by, key) : await exchangeLink(client, by, key);
}

type Key = { readonly publicKey?: BrowserPublicKey };

async function finishOpenId(
  { agent }: MooringClient,
  { flow, response }: OpenIdReturn,
  key: Key,
): Promise<SignInToken> {
  if (flow === null) throw new SignInRefusal('This sign-in did not begin in this tab. Begin again.');
  try {
    return await agent.signIn.finishOpenId({ flow, response, ...key });
  } catch (error) {
    throw error instanceof MooringError ? new SignInRefusal(error.message) : error;
  }
}

/** A server without users refuses each invite link. */
async function exchangeLink(
  { agent, users }: MooringClient,
  { kind, secret }: SignInLink,
  key: Key,
): Promise<SignInToken | null> {
  return await refusedAsNull(
    kind === 'invite' ? users.exchangeInvite({ invite: secret, ...key }) : agent.signIn.exchange(secret, key),
  );
}

/** For a browser that keeps a key. */
function keyedCalls(client: MooringClient): Pick<SessionCalls, 'exchange' | 'refresh' | 'forget'> {
  const { signIn } = client.agent;
  return {
    exchange: async (by) => {
      const token = await exchangeBy(client, by, await publicKey());
      if (token !== null) await keepSession(token.sessionId);
      return token;
    },
    refresh: async () => {
      const kept = await keptSession();
      if (kept === null) return 'none';
      const { sessionId } = kept;
      const made = await refusedAsNull(signIn.challenge(sessionId));
      if (made === null) return null;
      const { challenge } = made;
      const signature = await kept.sign(challenge);
      return await refusedAsNull(signIn.refresh({ sessionId, challenge, signature }));
    },
    forget: forgetKey,
  };
}

/** For a page that cannot keep a key: the token is kept for the tab. */
function tabCalls(
  exchange: (by: SignInBy) => Promise<SignInToken | null>,
  renew: (token: string) => Promise<SignInToken | null>,
): Pick<SessionCalls, 'exchange' | 'refresh' | 'forget'> {
  const kept = (token: SignInToken | null): SignInToken | null => {
    if (token !== null) sessionStorage.setItem(storageKey, token.token);
    return token;
  };
  return {
    exchange: async (by) => kept(await exchange(by)),
    refresh: async (current) => {
      const token = current?.token ?? sessionStorage.getItem(storageKey);
      return token === null ? 'none' : kept(await renew(token));
    },
    forget: async () => sessionStorage.removeItem(storageKey),
  };
}

/** 401 and 403 are refusals, and 409 is that of a server without users; other errors are not about the session. */
async function refusedAsNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof MooringError && refusals.includes(error.status)) return null;
    throw error;
  }
}
