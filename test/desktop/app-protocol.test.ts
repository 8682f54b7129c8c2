import { describe, expect, it } from 'vitest';
import { answer, isAppUrl } from '../../electron/app-protocol.ts';
import type { AgentState } from '../../electron/ipc-contract.ts';

const ready: AgentState = { kind: 'ready', url: 'http://127.0.0.1:4417' };

async function unreachable(): Promise<Response> {
  throw new Error('nothing should have been forwarded');
}

describe('a request to app://mooring', () => {
  it('goes to the agent with its path, query, method and body, but not as a web page', async () => {
    const request = new Request('app://mooring/v1/things?a=1%2F2', {
      method: 'PUT',
      body: 'content',
      headers: { authorization: 'Bearer t', origin: 'app://mooring', 'x-correlation-id': 'c1' },
    });
    let seen: unknown;
    const response = await answer(request, ready, async (url, init) => {
      const headers = Object.fromEntries(new Headers(init.headers));
      seen = { url, method: init.method, headers, body: await new Response(init.body).text() };
      return new Response('stored', { status: 202 });
    });
    expect(response.status).toBe(202);
    expect(seen).toEqual({
      url: 'http://127.0.0.1:4417/v1/things?a=1%2F2',
      method: 'PUT',
      headers: {
        authorization: 'Bearer t',
        'content-type': 'text/plain;charset=UTF-8',
        'x-correlation-id': 'c1',
      },
      body: 'content',
    });
  });

  it('gets a page that says what is going on while there is no agent', async () => {
    const failed: AgentState = { kind: 'failed', reason: 'no space <left>' };
    const response = await answer(new Request('app://mooring/'), failed, unreachable);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('could not be started: no space &#60;left&#62;.');
  });

  it('to any other host is not found', async () => {
    const response = await answer(new Request('app://elsewhere/'), ready, unreachable);
    expect(response.status).toBe(404);
  });
});

describe('an address of ours', () => {
  it.each([
    ['app://mooring/', true],
    ['app://mooring/files/a?b#c', true],
    ['app://mooring.example/', false],
    ['app://user@mooring:1/', false],
    ['https://mooring/', false],
    ['about:blank', false],
    ['', false],
  ])('%s: %s', (url, ours) => {
    expect(isAppUrl(url)).toBe(ours);
  });
});
