// The first use of a workspace with --auto-provision: however many requests and streams come at once, each of them succeeds.
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { request } from '../support/api-request.ts';
import { type HttpAgent, startHttpAgent } from '../support/http-agent.ts';

const rounds = 5;

interface FirstRequest {
  readonly route: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly status: number;
}

const firstRequests: readonly FirstRequest[] = [
  { route: '/fs/tree', status: 200 },
  { route: '/fs/query', status: 200 },
  { route: '/fs/events?direction=desc&limit=1', status: 200 },
  { route: '/ops', status: 200 },
  { route: '/sync/status', status: 200 },
  { route: '/writeback/pending', status: 200 },
  { route: '/subscriptions', status: 200 },
  { route: '/fs/export?format=json', status: 200 },
  { route: '/fs/bulk-read', method: 'POST', body: { paths: ['/none'] }, status: 200 },
  { route: '/fs/bulk', method: 'POST', body: { files: [{ path: '/f', content: 'x' }] }, status: 202 },
];

async function firstUse(agent: HttpAgent, workspaceId: string, one: FirstRequest): Promise<string> {
  const { token } = await agent.tokens.issue({ workspaceId });
  const { route, status, ...rest } = one;
  const answer = await request(agent, `/v1/workspaces/${workspaceId}${route}`, { ...rest, token });
  return answer.status === status ? 'succeeded' : `${route}: ${answer.status} ${answer.bytes.toString()}`;
}

async function firstStream(agent: HttpAgent, workspaceId: string): Promise<string> {
  const { token } = await agent.tokens.issue({ workspaceId });
  const socket = new WebSocket(
    `ws://127.0.0.1:${agent.port}/v1/workspaces/${workspaceId}/fs/ws?token=${token}`,
  );
  return await new Promise<string>((resolve) => {
    socket.once('error', (error) => resolve(error.message));
    socket.once('open', () => {
      socket.terminate();
      resolve('succeeded');
    });
  });
}

test('40 first requests of ten routes and 24 streams at once all succeed, in each of several workspaces', async () => {
  const agent = await startHttpAgent({ config: { autoProvision: true } });
  for (let round = 0; round < rounds; round += 1) {
    const workspaceId = `ws_round_${round}`;
    const exports = (one: FirstRequest) => one.route.startsWith('/fs/export');
    const requests = Array.from({ length: 40 }, (_, index) => firstRequests[index % firstRequests.length])
      .filter((one) => one !== undefined)
      // Exports are limited to two at once, whatever the workspace.
      .filter((one, index) => !exports(one) || index < 2 * firstRequests.length);
    const results = await Promise.all([
      ...requests.map((one) => firstUse(agent, workspaceId, one)),
      ...Array.from({ length: 24 }, () => firstStream(agent, workspaceId)),
    ]);
    expect(results.filter((result) => result !== 'succeeded')).toEqual([]);
  }
  const listed = await agent.workspaces.list();
  expect(listed.map(({ workspaceId }) => workspaceId)).toHaveLength(rounds);
});

test('a workspace that was deleted is not made again by first requests that come at once', async () => {
  const agent = await startHttpAgent({ config: { autoProvision: true } });
  const workspaceId = 'ws_deleted';
  const tree = { route: '/fs/tree', status: 200 };
  expect(await firstUse(agent, workspaceId, tree)).toBe('succeeded');
  await request(agent, `/v1/workspaces/${workspaceId}`, { method: 'DELETE' });
  const { token } = await agent.tokens.issue({ workspaceId });
  const url = `/v1/workspaces/${workspaceId}/fs/tree`;
  const answers = await Promise.all(Array.from({ length: 20 }, () => request(agent, url, { token })));
  expect(new Set(answers.map(({ status, json }) => `${status} ${json.code}`))).toEqual(
    new Set(['404 workspace_not_found']),
  );
});
