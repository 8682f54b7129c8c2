// A refresh acts on the authority of whoever asked, and none takes the place of one that may do more, or something else.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { refreshesWaitingMax } from '../../server/core/inbound/refresh.ts';
import { codeOf, request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { providerSecret } from '../support/provider.ts';
import { waitFor } from '../support/wait-for.ts';

const names = ['a', 'b', 'c', 'd'] as const;

/** A provider that answers its refresh address when it is told to. */
async function startSlowProvider() {
  const waiting: ServerResponse[] = [];
  let isOpen = false;
  const files = names.map((name) => ({ path: `/hub/${name}/x`, content: name }));
  const answer = (response: ServerResponse) => response.end(JSON.stringify({ files }));
  const server = createServer((_request, response) => {
    if (isOpen) answer(response);
    else waiting.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/all`,
    calls: () => waiting.length,
    open() {
      isOpen = true;
      for (const response of waiting.splice(0)) answer(response);
    },
  };
}

async function bench() {
  const [agent, provider] = [await startHttpAgent(), await startSlowProvider()];
  const { workspaceId } = await makeWorkspace(agent);
  const post = (url: string, body: unknown, token = agent.ownerToken) =>
    request(agent, `/v1/workspaces/${workspaceId}${url}`, { method: 'POST', token, body });
  const added = await post('/providers', {
    provider: 'hub',
    kind: 'http',
    url: provider.url,
    refreshUrl: provider.url,
    secret: providerSecret,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  });
  expect(added.status).toBe(201);
  const ask = async (name: string) => {
    const scopes = [`relayfile:sync:trigger:/hub/${name}/**`];
    const { token } = await agent.tokens.issue({ workspaceId, agent: name, scopes });
    return await post('/sync/refresh', { provider: 'hub' }, token);
  };
  const paths = async () => {
    await agent.ingest.idle();
    return (await agent.workspaces.listFiles(workspaceId, '/', null, 100)).map(({ path }) => path);
  };
  return { agent, provider, post, ask, paths };
}

test('requests of tokens with different rights, asked for while one is under way, are all served', async () => {
  const { provider, ask, paths } = await bench();
  await ask('a');
  await waitFor('the first pull', () => provider.calls() === 1);
  for (const name of ['b', 'c', 'b', 'd']) expect((await ask(name)).status).toBe(202);
  provider.open();
  const wanted = names.map((name) => `/hub/${name}/x`);
  const found = await waitFor('every file', async () => {
    const there = await paths();
    return there.length === wanted.length && there;
  });
  expect(found).toEqual(wanted);
});

test('those that wait are bounded; one that waits already, and the owner, may still ask', async () => {
  const { provider, post, ask, paths } = await bench();
  await ask('first');
  await waitFor('the first pull', () => provider.calls() === 1);
  const others = Array.from({ length: refreshesWaitingMax }, (_, n) => `other-${n}`);
  for (const name of others) expect((await ask(name)).status).toBe(202);
  const refused = await ask('one-more');
  expect(codeOf(refused)).toEqual([429, 'queue_full']);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect((await ask('other-3')).status).toBe(202);
  expect((await post('/sync/refresh', { provider: 'hub' })).status).toBe(202);
  // Nothing waits behind it, for it brings all.
  expect((await ask('one-more')).status).toBe(202);
  provider.open();
  await waitFor('every file', async () => (await paths()).length === names.length);
});
