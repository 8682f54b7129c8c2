// Somebody who keeps watch over all workspaces mends what failed in one of them: with the admin scope alone, by ids alone, over
// plain HTTP, against a real agent and a real provider.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type AgentProcess, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

async function watched() {
  const [agent, provider] = await Promise.all([startAgent(), startProvider()]);
  const fresh = await freshWorkspace(agent);
  const elsewhere = await freshWorkspace(agent, 'watch');
  const { token } = await fresh.owner.tokens.create(elsewhere.workspaceId, {
    agent: 'on-call',
    scopes: ['admin:read', 'admin:replay'],
  });
  await fresh.owner.providers.add(fresh.workspaceId, {
    provider: 'git',
    kind: 'http',
    url: provider.url,
    secret: providerSecret,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  });
  return { ...fresh, agent, provider, admin: adminOf(agent, token) };
}

/** As `curl -H "Authorization: Bearer $TOKEN"` does it. */
function adminOf(agent: AgentProcess, token: string) {
  return async (method: 'GET' | 'POST', route: string) => {
    const answer = await fetch(`${agent.url}/v1/admin/${route}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'x-correlation-id': 'on-call-1' },
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
}

it('a webhook whose place was taken is replayed once the place is free, and its file comes to the folder', async () => {
  const { agent, owner, workspaceId, client, admin } = await watched();
  const dir = tempFolder('mooring-folder');
  await owner.mirrors.add(workspaceId, dir);
  await client.writeFile(workspaceId, '/hub/notes', 'a file, where a directory is needed');
  const { id } = await client.sync.ingestWebhook(workspaceId, {
    provider: 'hub',
    event_type: 'file.created',
    path: '/hub/notes/today.md',
    data: { content: 'what the provider said' },
  });
  const ingress = async () => {
    const { json } = await admin('GET', 'ingress');
    return json.workspaces as Record<string, Record<string, number>>;
  };
  await waitFor('the dead letter', async () => (await ingress())[workspaceId]?.deadLetterTotal === 1);
  expect(await client.sync.deadLetters.get(workspaceId, id)).toMatchObject({
    lastError: 'path_taken: /hub/notes is a file',
  });

  await client.deleteFile(workspaceId, '/hub/notes');
  expect(await admin('POST', `replay/envelope/${id}`)).toEqual({
    status: 202,
    json: { status: 'queued', id, correlationId: 'on-call-1' },
  });
  await waitFor(
    'the file',
    async () =>
      (await client.readFile(workspaceId, '/hub/notes/today.md')).content === 'what the provider said',
  );
  expect((await ingress())[workspaceId]).toMatchObject({
    acceptedTotal: 1,
    deadLetterTotal: 0,
    pendingTotal: 0,
  });
  expect((await admin('POST', `replay/envelope/${id}`)).status).toBe(404);
  await agent.fetch('/v1/agent/settle', { method: 'POST', body: JSON.stringify({ workspaceId }) });
  const file = path.join(dir, 'hub/notes/today.md');
  await waitFor('it in the folder', () => existsSync(file));
  expect(readFileSync(file, 'utf8')).toBe('what the provider said');
});

it('an operation that its provider refused is replayed once it takes it, and goes out once', async () => {
  const { provider, workspaceId, client, admin } = await watched();
  await provider.tell({ behaviour: { kind: 'status', status: 403, body: '{"message":"no seat left"}' } });
  const { opId } = await client.writeFile(workspaceId, '/git/a.md', 'ours');
  const reaches = (status: string) =>
    waitFor(`${opId} to be ${status}`, async () => {
      const operation = await client.operations.get(workspaceId, opId);
      return operation.status === status ? operation : undefined;
    });
  expect((await reaches('dead_lettered')).lastError).toContain('no seat left');
  await provider.tell({ behaviour: { kind: 'take' } });
  expect(await admin('POST', `replay/op/${opId}`)).toEqual({
    status: 202,
    json: { status: 'queued', id: opId, correlationId: 'on-call-1' },
  });
  await reaches('succeeded');
  expect(provider.taken).toEqual(['/git/a.md ours']);
  expect(new Set(provider.items.map((item) => item.headers['idempotency-key']))).toEqual(new Set([opId]));
  const { steps } = await client.operations.steps(workspaceId, opId);
  expect(steps.map(({ kind }) => kind).filter((kind) => kind !== 'waiting')).toEqual([
    'written',
    'attempt',
    'replayed',
    'attempt',
    'settled',
  ]);
  expect((await admin('POST', `replay/op/${opId}`)).status).toBe(409);
});
