// Concurrent first requests to a workspace that does not exist yet, with --auto-provision: on an agent, or on two processes of a hub.
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startAgent } from '../support/agent-process.ts';
import { hubArguments, storesInHub } from '../support/hub-database.ts';
import { signedToken } from '../support/signed-token.ts';
import { startGate } from '../support/starting-gate.ts';

it('40 requests and 24 streams open one unknown workspace at once', async () => {
  const agent = await startAgent({ args: ['--auto-provision'] });
  const more = storesInHub
    ? [await startAgent({ args: ['--auto-provision', ...(await hubArguments(agent.dataDir))] })]
    : [];
  const token = await signedToken(agent, 'ws_fan_out');
  const processes = [agent, ...more];
  const gates = await Promise.all(processes.map(({ url }) => startGate(url, 64 / processes.length)));
  const urlOf = (index: number) => gates[index % gates.length]?.url ?? '';
  const routes = ['/fs/tree', '/fs/query', '/fs/events', '/ops', '/sync/status'];
  const requests = Array.from({ length: 40 }, async (_, index) => {
    const route = `/v1/workspaces/ws_fan_out${routes[index % routes.length]}`;
    const headers = { authorization: `Bearer ${token}`, 'x-correlation-id': 'first-use' };
    const answer = await fetch(urlOf(index) + route, { headers });
    return answer.status;
  });
  const streams = Array.from({ length: 24 }, async (_, index) => {
    const socket = new WebSocket(
      `${urlOf(index).replace('http', 'ws')}/v1/workspaces/ws_fan_out/fs/ws?token=${token}`,
    );
    await once(socket, 'open');
    socket.terminate();
    return 101;
  });
  const statuses = await Promise.all([...requests, ...streams]);
  expect(new Set(statuses)).toEqual(new Set([200, 101]));
});
