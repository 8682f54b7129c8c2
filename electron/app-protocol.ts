// `app://mooring/...` is the agent's UI and API under one origin that no web page can have. Requests go to the
// address that the agent gave in its handshake; while there is none, a page says what is going on.
import type { AgentState } from './ipc-contract.ts';

export const appScheme = 'app';
const appHost = 'mooring';
const appOrigin = `${appScheme}://${appHost}`;
export const startUrl = `${appOrigin}/`;

/** True for a page of ours. Compares whole parts: `app://mooring.example` is not one. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === `${appScheme}:` && parsed.host === appHost;
}

export type Forward = (url: string, init: RequestInit) => Promise<Response>;

/** Answers one request of the page, with `forward` (Electron's net.fetch) doing the way to the agent. */
export async function answer(request: Request, state: AgentState, forward: Forward): Promise<Response> {
  if (!isAppUrl(request.url)) return new Response('There is no such host.\n', { status: 404 });
  if (state.kind !== 'ready') return waitingPage(state);
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  // The agent judges Host and Origin of what reaches its port; ours is not a web origin, so it is left out.
  for (const name of ['host', 'origin', 'referer']) headers.delete(name);
  const init: RequestInit & { duplex?: 'half' } = {
    method: request.method,
    headers,
    redirect: 'manual',
    signal: request.signal,
    ...(request.body === null ? {} : { body: request.body, duplex: 'half' }),
  };
  return await forward(`${state.url}${pathname}${search}`, init);
}

function waitingPage(state: Exclude<AgentState, { kind: 'ready' }>): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mooring</title>
<style>body{font:16px system-ui;margin:20vh auto;max-width:32rem;padding:0 1rem;color-scheme:light dark}</style>
<h1>Mooring</h1><p role="status">${escapeHtml(explain(state))}</p></html>`;
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
    },
  });
}

function explain(state: Exclude<AgentState, { kind: 'ready' }>): string {
  switch (state.kind) {
    case 'starting':
      return 'The agent is starting.';
    case 'restarting':
      return `The agent stopped (${state.reason}) and will be started again in ${Math.ceil(state.delayMs / 1000)} s.`;
    case 'failed':
      return `The agent could not be started: ${state.reason}. Quit and open Mooring to try again.`;
    case 'stopped':
      return 'The agent is stopped.';
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
