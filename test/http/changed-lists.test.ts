// GET /v1/agent/changes names the lists that a client shows and has to read again, at once, and a wait ends with the server.
import { expect, test } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import type { ChangedLists } from '../../server/contract/agent.ts';
import { codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

const waitMs = 30_000;

async function changes(agent: HttpAgent, query = ''): Promise<ChangedLists> {
  const answer = await request(agent, `/v1/agent/changes${query}`);
  expect(answer.status).toBe(200);
  return answer.json;
}

test('a wait is answered by the change of a list, with its workspace, and never by a file alone', async () => {
  const agent = await openHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  const first = await changes(agent);
  expect(first).toMatchObject({ isComplete: false, changed: [] });
  expect(await changes(agent, `?cursor=${first.cursor}`)).toEqual({ ...first, isComplete: true });
  const begunMs = performance.now();
  const waiting = changes(agent, `?cursor=${first.cursor}&wait=${waitMs}`);
  await request(agent, `/v1/workspaces/${workspaceId}/webhooks/ingest`, {
    method: 'POST',
    body: { provider: 'slack', event_type: 'file.updated', path: '/slack/../a.md', data: { content: 'x' } },
  });
  const answer = await waiting;
  expect(performance.now() - begunMs).toBeLessThan(waitMs / 2);
  expect(answer.isComplete).toBe(true);
  expect(answer.changed).toContainEqual({ list: 'dead-letters', workspaceId });
  await agent.close();
});

test('the end of a run is reported as a change of the runs', async () => {
  const agent = await openHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  const { runs, files } = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
  const ends = [runs.commit.bind(runs), runs.discard.bind(runs)];
  for (const [index, end] of ends.entries()) {
    const { runId, forkId } = await runs.create(workspaceId);
    await files.write(workspaceId, `/${index}.txt`, 'text', { forkId });
    const { cursor } = await changes(agent);
    await end(workspaceId, runId);
    expect((await changes(agent, `?cursor=${cursor}`)).changed).toContainEqual({ list: 'runs', workspaceId });
  }
  await agent.close();
});

test('an unknown cursor is answered at once, others than the owner are refused, and a closing server ends the waits', async () => {
  const agent = await openHttpAgent();
  for (const cursor of ['x', 'other.1', 'test.999999'])
    expect(await changes(agent, `?cursor=${cursor}&wait=${waitMs}`)).toMatchObject({ isComplete: false });
  const { token } = await makeWorkspace(agent);
  expect(codeOf(await request(agent, '/v1/agent/changes', { token }))[0]).toBe(403);
  const { cursor } = await changes(agent);
  const waiting = changes(agent, `?cursor=${cursor}&wait=${waitMs}`);
  await expect.poll(async () => (await request(agent, '/health')).status).toBe(200);
  await agent.close();
  expect(await waiting).toEqual({ cursor, isComplete: true, changed: [] });
});
