// Mooring-Epoch: who names none is not checked, who names another one changes nothing.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
let file: string;
beforeAll(async () => {
  agent = await openHttpAgent();
  file = `/v1/workspaces/${(await makeWorkspace(agent)).workspaceId}/fs/file?path=/a.md`;
});
afterAll(() => agent.close());

const put = async (epoch: string | null) =>
  await request(agent, file, {
    method: 'PUT',
    headers: { 'if-match': '*', ...(epoch === null ? {} : { 'mooring-epoch': epoch }) },
    body: { content: 'text', contentType: 'text/plain' },
  });

it('answers with the epoch where one is asked for, and takes requests that name it', async () => {
  const epoch = await agent.store.maintenance.epoch();
  const first = await put('*');
  expect([first.status, first.headers.get('mooring-epoch')]).toEqual([202, epoch]);
  expect((await put(epoch)).status).toBe(202);
  const plain = await put(null);
  expect([plain.status, plain.headers.get('mooring-epoch')]).toEqual([202, null]);
});

it('refuses another epoch, and changes nothing', async () => {
  const before = (await request(agent, file)).json.revision;
  expect(codeOf(await put('of-another-store'))).toEqual([412, 'precondition_failed']);
  expect((await request(agent, file)).json.revision).toBe(before);
});

it('names no epoch to a caller without a token', async () => {
  const answer = await request(agent, file, { token: null, headers: { 'mooring-epoch': '*' } });
  expect([answer.status, answer.headers.get('mooring-epoch')]).toEqual([401, null]);
});
