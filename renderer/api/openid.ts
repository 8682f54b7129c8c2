// A sign-in at the OpenID provider of a hub: the page leaves for the provider and returns with its answer in the address. What finishes the
// sign-in is kept in this tab, so that no answer that another page sends here signs in.
import { MooringClient } from '../../sdk/index.ts';
import { agentUrl } from './desktop.ts';

const storageKey = 'mooring.openid';

/** The answer of the provider; `flow` null: no sign-in began in this tab. */
export interface OpenIdReturn {
  readonly kind: 'openid';
  readonly flow: string | null;
  readonly response: string;
}

interface Kept {
  readonly flow: string;
  /** Where the page was. */
  readonly hash: string;
}

/** Leaves the page. `asksAgain`: for another account than the one of before. Rejects when there is no address to go to. */
export async function leaveForProvider(asksAgain: boolean): Promise<void> {
  const { signIn } = new MooringClient({ baseUrl: agentUrl(), retry: { retries: 0 } }).agent;
  const { url, flow } = await signIn.beginOpenId({ asksAgain });
  const kept: Kept = { flow, hash: location.hash };
  sessionStorage.setItem(storageKey, JSON.stringify(kept));
  location.assign(url);
}

/** Takes the answer out of the address first, and returns the page to where it was. null: the address has none. */
export function takeReturn(): OpenIdReturn | null {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has('state') || !(parameters.has('code') || parameters.has('error'))) return null;
  const kept = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  const { flow, hash } = kept === null ? { flow: null, hash: '' } : (JSON.parse(kept) as Kept);
  const response = location.search.slice(1);
  history.replaceState(null, '', hash === '' ? location.pathname : `${location.pathname}${hash}`);
  return { kind: 'openid', flow, response };
}
