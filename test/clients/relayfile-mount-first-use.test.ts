// Two published mount programs of the reference begin at the same moment on a workspace that does not exist yet, against a real
// agent with --auto-provision: both finish their first round, and no request of the first use is answered with an error.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type AgentProcess, startAgent } from '../support/agent-process.ts';
import { mountProgram, mountRunsHere, mountSkipReason, startMount } from '../support/relayfile-mount.ts';
import { startGate } from '../support/starting-gate.ts';
import { tempFolder } from '../support/temp-folder.ts';

const rounds = 4;

/** A token for a workspace that nobody has created; the API issues none. */
async function tokenFor(agent: AgentProcess, workspaceId: string): Promise<string> {
  const key = JSON.parse(readFileSync(path.join(agent.dataDir, 'signing-key.json'), 'utf8')) as {
    readonly kid: string;
    readonly k: string;
  };
  return await new SignJWT({
    workspace_id: workspaceId,
    scopes: ['fs:read', 'fs:write', 'ops:read', 'sync:read'],
  })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid })
    .setSubject('first-use')
    .setAudience('relayfile')
    .setExpirationTime('1h')
    .sign(Buffer.from(key.k, 'base64url'));
}

/** Exit code of one whole round of the program into an empty folder. Its first request is a stream only when it may use one. */
async function mountOnce(program: string, args: readonly string[]): Promise<number | null> {
  const dirs = ['--local-dir', tempFolder('mooring-mount'), '--state-dir', tempFolder('mooring-mount-state')];
  const child = startMount([...args, ...dirs, '--mode', 'poll', '--once'], program);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

it('two mount programs that start at once on an unknown workspace both succeed, in every round', {
  timeout: 120_000,
}, async ({ skip }) => {
  skip(!mountRunsHere, mountSkipReason);
  const program = mountProgram();
  const agent = await startAgent({ args: ['--auto-provision'] });
  for (let round = 0; round < rounds; round += 1) {
    const workspaceId = `ws_mount_${round}`;
    const token = await tokenFor(agent, workspaceId);
    const gate = await startGate(agent.url, 2);
    const args = ['--base-url', gate.url, '--token', token, '--workspace', workspaceId];
    const websocket = `--websocket=${round % 2 === 0}`;
    const codes = await Promise.all([0, 1].map(() => mountOnce(program, [...args, websocket])));
    expect({ round, codes }).toEqual({ round, codes: [0, 0] });
    // It repeats what was refused, so its exit code alone would hide an error.
    expect(gate.statuses.filter((status) => status >= 400)).toEqual([]);
  }
});

it('40 requests and 24 streams of a real agent open one unknown workspace at once', async () => {
  const agent = await startAgent({ args: ['--auto-provision'] });
  const token = await tokenFor(agent, 'ws_fan_out');
  const { url } = await startGate(agent.url, 64);
  const routes = ['/fs/tree', '/fs/query', '/fs/events', '/ops', '/sync/status'];
  const requests = Array.from({ length: 40 }, async (_, index) => {
    const route = `/v1/workspaces/ws_fan_out${routes[index % routes.length]}`;
    const headers = { authorization: `Bearer ${token}`, 'x-correlation-id': 'first-use' };
    const answer = await fetch(url + route, { headers });
    return answer.status;
  });
  const streams = Array.from({ length: 24 }, async () => {
    const socket = new WebSocket(
      `${url.replace('http', 'ws')}/v1/workspaces/ws_fan_out/fs/ws?token=${token}`,
    );
    await once(socket, 'open');
    socket.terminate();
    return 101;
  });
  const statuses = await Promise.all([...requests, ...streams]);
  expect(new Set(statuses)).toEqual(new Set([200, 101]));
});
