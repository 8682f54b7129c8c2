// A cursor from before the oldest event that is kept (docs/wire-contract.md#retention-of-events).
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

const dayMs = 86_400_000;

test('the feed starts at the oldest kept event and says so, the stream closes with 4410', async () => {
  const agent = await startHttpAgent({ feedRowsMin: 3 });
  const { workspaceId, token } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}/fs`;
  const files = Array.from({ length: 10 }, (_, index) => ({ path: `/${index}`, content: 'x' }));
  await request(agent, `${url}/bulk`, { method: 'POST', token, body: { files } });
  const ids = (await request(agent, `${url}/events`, { token })).json.events.map(
    (event: { eventId: string }) => event.eventId,
  );
  const { events } = await agent.store.maintenance.applyRetention(Date.now() + 60 * dayMs);
  expect(events).toBe(7);
  const from = async (cursor: string) => {
    const answer = await request(agent, `${url}/events?cursor=${cursor}`, { token });
    const paths = answer.json.events.map((event: { path: string }) => event.path);
    return [answer.headers.get('mooring-cursor-gap'), paths];
  };
  expect(await from(ids[2])).toEqual(['1', ['/7', '/8', '/9']]);
  expect(await from(ids[6])).toEqual([null, ['/7', '/8', '/9']]);
  expect(await from(ids[8])).toEqual([null, ['/9']]);
  const stream = (cursor: string) =>
    new WebSocket(`${agent.url.replace('http', 'ws')}${url}/ws?token=${token}&cursor=${cursor}`);
  const [code, reason] = await once(stream(ids[2]), 'close');
  expect([code, String(reason)]).toEqual([4410, 'cursor expired']);
  const kept = stream(ids[8]);
  const [frame] = await once(kept, 'message');
  expect(JSON.parse(String(frame)).path).toBe('/9');
  kept.close();
});
