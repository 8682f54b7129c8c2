// Which clients are at work: counted, never told what about.
import { expect, test } from 'vitest';
import type { Caller } from '../../server/http/base/access.ts';
import { createClientUses } from '../../server/http/base/client-uses.ts';
import { codeOf, request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { waitFor } from '../support/wait-for.ts';

test('requests and writes are counted for each token, streams while they are open, and nothing else is told', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent, { agent: 'writer' });
  const files = `/v1/workspaces/${workspaceId}/fs`;
  const put = (path: string) =>
    request(agent, `${files}/file?path=${path}`, {
      method: 'PUT',
      token,
      headers: { 'if-match': '*' },
      body: { content: 'secret content' },
    });
  await put('/secret-name');
  await put('/b');
  await request(agent, `${files}/tree`, { token });
  // Let in, but not well answered: a request, no write.
  await request(agent, `${files}/file?path=/b`, {
    method: 'PUT',
    token,
    headers: { 'if-match': '0' },
    body: {},
  });
  const restore = { method: 'POST', token, body: { at: new Date().toISOString(), dryRun: true } };
  await request(agent, `${files}/restore`, restore);
  const read = async () => (await request(agent, '/v1/agent/clients')).json;
  const writer = async () => (await read()).clients.find(({ name }: { name: string }) => name === 'writer');
  expect(await writer()).toEqual({
    name: 'writer',
    tokenId: expect.any(String),
    workspaceId,
    owner: false,
    requests: 5,
    writes: 2,
    requestsPerMinute: expect.any(Number),
    streams: 0,
    lastActiveAt: expect.any(String),
  });
  expect(JSON.stringify(await read())).not.toMatch(/secret/);
  const socket = new WebSocket(`${agent.url.replace('http', 'ws')}${files}/ws?token=${token}&from=now`);
  await waitFor('the stream to be counted', async () => (await writer()).streams === 1);
  socket.close();
  await waitFor('the stream to be gone', async () => (await writer()).streams === 0);
  expect(codeOf(await request(agent, '/v1/agent/clients', { token }))).toEqual([403, 'forbidden']);
});

test('what is older than ten minutes is forgotten, but a stream that is open is not', () => {
  let nowMs = 1_000 * 60_000;
  const uses = createClientUses({ nowMs: () => nowMs });
  const caller = (tokenId: string) =>
    ({ token: { tokenId, workspaceId: 'rw_1', agent: tokenId } }) as unknown as Caller;
  const [one, other] = [caller('one'), caller('other')];
  uses.answered(one, true);
  uses.answered(one, false);
  uses.streamOpened(other);
  nowMs += 5 * 60_000;
  uses.answered(one, false);
  const told = () =>
    uses
      .list()
      .map(({ caller: { token }, requests, writes, requestsLastMinute, streams }) => [
        token.tokenId,
        requests,
        writes,
        requestsLastMinute,
        streams,
      ]);
  expect(told()).toEqual([
    ['one', 3, 1, 1, 0],
    ['other', 0, 0, 0, 1],
  ]);
  nowMs += 6 * 60_000;
  expect(told()).toEqual([
    ['one', 1, 0, 0, 0],
    ['other', 0, 0, 0, 1],
  ]);
  nowMs += 5 * 60_000;
  expect(told()).toEqual([['other', 0, 0, 0, 1]]);
  uses.streamClosed(other);
  nowMs += 11 * 60_000;
  expect(told()).toEqual([]);
});

test('of more clients than are held the quietest is forgotten', () => {
  let nowMs = 0;
  const uses = createClientUses({ nowMs: () => nowMs });
  for (let n = 0; n <= 2_000; n += 1) {
    nowMs = n;
    uses.answered({ token: { tokenId: `${n}` } } as unknown as Caller, false);
  }
  const ids = uses.list().map(({ caller }) => caller.token.tokenId);
  expect([ids.length, ids.includes('0'), ids[0]]).toEqual([2_000, false, '2000']);
});
