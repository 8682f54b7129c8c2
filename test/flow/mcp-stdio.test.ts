// `mooring mcp`: a real client on stdio, in both eras of the protocol.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { call, type Era, eras, refusal } from '../mcp/mcp-client.ts';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { program } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

async function connect(era: Era, args: readonly string[], env: Record<string, string> = {}) {
  const client = new Client(
    { name: 'stdio-client', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'inherit',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

test.each(eras)('the era %s: tools, confinement, subscription and end', async (era) => {
  const agent = await startAgent();
  const { client: api, owner, workspaceId } = await freshWorkspace(agent);
  await api.writeFile(workspaceId, '/secret.txt', 'hidden');
  const { client, transport } = await connect(era, [
    '--data-dir',
    agent.dataDir,
    '--path',
    '/docs/**',
    '--no-start',
  ]);
  const { pid } = transport;
  await call(client, 'write_file', { path: '/docs/a.md', content: 'x' });
  expect((await call(client, 'list_files')).entries).toMatchObject([{ path: '/docs/a.md' }]);
  expect((await refusal(client, 'read_file', { path: '/secret.txt' })).code).toBe('forbidden');
  const [entry] = (await api.history.page(workspaceId, '/docs/a.md')).entries;
  expect(entry?.actor.name).toBe('stdio-client');
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri);
  });
  const uris = ['/secret.txt', '/docs/b.md'].map((file) => `mooring://${workspaceId}/files${file}`);
  if (era === 'legacy') for (const uri of uris) await client.subscribeResource({ uri });
  else await client.listen({ resourceSubscriptions: uris });
  await api.writeFile(workspaceId, '/secret.txt', 'more');
  await api.writeFile(workspaceId, '/docs/b.md', 'x');
  await waitFor('an update', () => updated.length > 0);
  expect(updated).toEqual([uris[1]]);
  await client.close();
  await waitFor('the end of the process', () => pid !== null && !existsSync(`/proc/${pid}`));
  const tokens = await owner.tokens.list(workspaceId);
  expect(tokens.filter(({ agent: name }) => name === 'stdio-client')).toMatchObject([
    { revokedAt: expect.any(String) },
  ]);
});

test.each(eras)('the era %s: a token that may list no directory is refused a subscription', async (era) => {
  const agent = await startAgent();
  const { client: api, workspaceId } = await freshWorkspace(agent);
  await api.writeFile(workspaceId, '/docs/a.md', 'x');
  const { client } = await connect(era, ['--data-dir', agent.dataDir, '--path', '/docs/*', '--no-start']);
  const uri = `mooring://${workspaceId}/files/docs/a.md`;
  const subscription =
    era === 'legacy' ? client.subscribeResource({ uri }) : client.listen({ resourceSubscriptions: [uri] });
  await expect(subscription).rejects.toThrow(/may list no directory.*wait_for_changes/);
  const waited = await call(client, 'wait_for_changes', { paths: ['/docs/a.md'], timeoutSeconds: 0 });
  expect(waited.cursor).toEqual(expect.any(String));
});

test('--read-only offers no writing tool, and its token cannot write', async () => {
  const agent = await startAgent();
  const { owner, workspaceId } = await freshWorkspace(agent);
  const { client } = await connect('2026-07-28', ['--data-dir', agent.dataDir, '--read-only', '--no-start']);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('write_file');
  await call(client, 'status');
  const tokens = await owner.tokens.list(workspaceId);
  const own = tokens.find(({ agent: name }) => name === 'stdio-client');
  expect(own?.scopes).toEqual(['fs:read', 'sync:read']);
});

test('without an agent it stays connected, and works when the agent is there', async () => {
  const dataDir = tempFolder('mooring-mcp');
  const { client } = await connect('legacy', ['--data-dir', dataDir, '--no-start']);
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  const error = await refusal(client, 'list_files');
  expect([error.code, error.remedy]).toEqual(['agent_not_running', expect.stringContaining('mooring start')]);
  const agent = await startAgent({ dataDir });
  await freshWorkspace(agent);
  expect((await call(client, 'list_files')).entries).toEqual([]);
});

test('it starts an agent where none is running', async () => {
  const dataDir = tempFolder('mooring-mcp');
  const { client } = await connect('legacy', ['--data-dir', dataDir], { MOORING_LISTEN: '127.0.0.1:0' });
  const error = await refusal(client, 'list_files');
  expect(error.message).toContain('No workspaces');
  const { pid } = JSON.parse(readFileSync(path.join(dataDir, 'agent.json'), 'utf8')) as { pid: number };
  process.kill(pid, 'SIGTERM');
  await waitFor('the end of the agent', () => !existsSync(path.join(dataDir, 'agent.json')));
});

test('several that start at once start one agent', async () => {
  const dataDir = tempFolder('mooring-mcp');
  const env = { MOORING_LISTEN: '127.0.0.1:0' };
  const four = await Promise.all(
    (['legacy', '2026-07-28', 'legacy', '2026-07-28'] as const).map((era) =>
      connect(era, ['--data-dir', dataDir], env),
    ),
  );
  const errors = await Promise.all(four.map(({ client }) => refusal(client, 'list_files')));
  const { pid } = JSON.parse(readFileSync(path.join(dataDir, 'agent.json'), 'utf8')) as { pid: number };
  onTestFinished(async () => {
    process.kill(pid, 'SIGTERM');
    await waitFor('the end of the agent', () => !existsSync(path.join(dataDir, 'agent.json')));
  });
  for (const { message } of errors) expect(message).toContain('No workspaces');
  // The others find the data folder taken, and end.
  await waitFor('the end of the others', () => agentsOn(dataDir).length === 1);
  expect(agentsOn(dataDir)).toEqual([pid]);
});

/** Ids of the processes that serve the data folder. */
function agentsOn(dataDir: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        return words.includes('serve') && words.includes(dataDir);
      } catch {
        return false;
      }
    })
    .map(Number);
}
