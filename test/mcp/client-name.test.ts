// The name of an MCP client is shown beside the agent of the token, in both eras, bounded and in plain characters, and never in place of it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { actorName } from '../../renderer/model/files/history-view.ts';
import {
  clientNameCharactersMax,
  mcpCallId,
  mcpClientOf,
  plainClientName,
} from '../../server/contract/mcp-call-id.ts';
import { ClientNames } from '../../server/mcp/client-names.ts';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { call, type Era, eras } from './mcp-client.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

async function connectAs(name: string, token: string, era: Era, userAgent = name): Promise<Client> {
  const client = new Client(
    { name, version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  );
  const headers = {
    authorization: `Bearer ${token}`,
    'user-agent': encodeURIComponent(userAgent).slice(0, 100),
  };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', agent.url), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close());
  return client;
}

test.each(eras)('%s: history has the agent of the token and the client', async (era) => {
  const { workspaceId } = await makeWorkspace(agent);
  const { token, row } = await agent.tokens.issue({ workspaceId, agent: 'writer' });
  const one = await connectAs('claude-code', token, era);
  const two = await connectAs('codex/evil <b>\n"x"', token, era, 'two');
  await call(one, 'write_file', { path: '/one.md', content: 'x' });
  await call(two, 'write_file', { path: '/two.md', content: 'x' });
  await call(one, 'edit_file', { path: '/one.md', edits: [{ oldText: 'x', newText: 'y' }] });
  const actors = async (path: string) => {
    const url = `/v1/workspaces/${workspaceId}/fs/history?path=${path}`;
    return (await request(agent, url, { token })).json.entries.map(({ actor }: { actor: object }) => actor);
  };
  const identity = { kind: 'token', name: 'writer', tokenId: row.tokenId };
  expect(await actors('/one.md')).toEqual([
    { ...identity, client: 'claude-code' },
    { ...identity, client: 'claude-code' },
  ]);
  const [other] = await actors('/two.md');
  expect(other).toEqual({ ...identity, client: 'codex-evil-b-x' });
  expect(actorName({ actor: other })).toBe('writer (codex-evil-b-x)');
  const { entries } = await call(one, 'history', { path: '/two.md' });
  expect(entries[0]).toMatchObject({ actor: 'writer', client: 'codex-evil-b-x' });
});

test('a change without MCP names no client, and a client without a name has none', async () => {
  const { workspaceId, token } = await makeWorkspace(agent);
  const client = await connectAs('😀', token, 'legacy');
  await call(client, 'write_file', { path: '/a.md', content: 'x' });
  await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=/a.md`, {
    method: 'PUT',
    token,
    headers: { 'if-match': '*' },
    body: { content: 'y' },
  });
  const { json } = await request(agent, `/v1/workspaces/${workspaceId}/fs/history?path=/a.md`, { token });
  expect(json.entries).toHaveLength(2);
  for (const { actor } of json.entries) expect(actor).not.toHaveProperty('client');
});

test('any name becomes plain characters of a limited number, and is read back from the correlation id', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (name) => {
      const plain = plainClientName(name);
      expect(plain).toMatch(/^[A-Za-z0-9._-]*$/);
      expect(plain.length).toBeLessThanOrEqual(clientNameCharactersMax);
      const id = mcpCallId('0123abcd', plain, '0123456789abcdef');
      expect(mcpClientOf(id)).toBe(plain === '' ? null : plain);
    }),
  );
  expect(mcpClientOf(`mcp-0123abcd-${'x'.repeat(41)}-0123456789abcdef`)).toBeNull();
  expect(mcpClientOf('mcp-0123abcd-<b>-0123456789abcdef')).toBeNull();
});

test('sixteen programs of a token are remembered, the least recent one is dropped', () => {
  const names = new ClientNames();
  for (let index = 0; index < 17; index += 1) {
    names.remember(`program ${index}`, `name ${index}`);
    names.remember('program 0', 'kept');
  }
  expect([names.of('program 0'), names.of('program 1'), names.of('program 2')]).toEqual([
    'kept',
    undefined,
    'name 2',
  ]);
});
