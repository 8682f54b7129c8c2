// Provider, writeback and ops commands against a real agent and a real provider process.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { agentOfFile, type CommandResult, mooring } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { startProvider } from '../support/provider.ts';
import { waitFor } from '../support/wait-for.ts';

// Each command is a process.
vi.setConfig({ testTimeout: 300_000 });

const agent = agentOfFile();

const run = async (...args: readonly string[]): Promise<CommandResult> =>
  await mooring(args, { dataDir: agent.dataDir });

/** A workspace with the provider `git`, registered from the command line. */
async function withProvider() {
  const [given, provider] = await Promise.all([freshWorkspace(agent), startProvider()]);
  const { workspaceId } = given;
  const where = ['--workspace', workspaceId];
  const secretFile = path.join(agent.dataDir, 'test.secret');
  const added = await mooring(
    ['provider', 'add', 'git', ...where, '--url', provider.url, '--secret-file', secretFile, ...allowed],
    { dataDir: agent.dataDir },
  );
  expect(added).toMatchObject({ code: 0, stdout: 'git\n' });
  // The provider of the tests has its own secret.
  await given.owner.providers.update(workspaceId, 'git', { secret: testSecret });
  return { ...given, provider, where, secretFile };
}
const allowed = ['--allow-http', '--allow-private'];
const testSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

it('refuses a URL that is not allowed and names the option that allows it', async () => {
  const { workspaceId } = await freshWorkspace(agent);
  const secretFile = path.join(agent.dataDir, 'refused.secret');
  const add = async (url: string, ...more: readonly string[]) =>
    await run('provider', 'add', 'git', '--workspace', workspaceId, '--url', url, ...more);
  expect(await add('https://provider.example/x')).toMatchObject({ code: 2 });
  const secret = ['--secret-file', secretFile];
  const plain = await add('http://provider.example/x', ...secret);
  expect(plain.code).toBe(1);
  expect(plain.stderr).toMatch(/http.*\nTo allow it, pass --allow-http/);
  expect(readFileSync(secretFile, 'utf8')).toMatch(/^whsec_/);
  const here = await add('https://127.0.0.1:1/x', ...secret);
  expect(here.stderr).toMatch(
    /127\.0\.0\.1 is a loopback or private address.*\nTo allow it, pass --allow-private/,
  );
  expect((await run('provider', 'test', 'git', '--workspace', workspaceId)).stderr).toBe(
    `The agent refused: provider git is not registered in this workspace (404 not_found).\nList the names with "mooring provider list --workspace ${workspaceId}".\n`,
  );
});

it('previews a pending operation, sends it, and shows its steps', async () => {
  const { provider, where, client, workspaceId } = await withProvider();
  await run('provider', 'pause', 'git', ...where);
  const { opId } = await client.writeFile(workspaceId, '/git/a.md', 'one\n');
  const listed = await run('writeback', 'list', ...where);
  expect(listed.stdout).toMatch(/^OPERATION +PROVIDER +STATUS +AGE +ATTEMPTS +PATH/);
  expect(listed.stdout).toMatch(new RegExp(`${opId} +git +pending +\\d+ (s|min) +0 .*/git/a.md`));
  const shown = await run('writeback', 'preview', opId, ...where);
  expect(shown.stdout).toContain(`POST ${provider.url}\n`);
  expect(shown.stdout).toContain(`idempotency-key: ${opId}\n`);
  expect(shown.stdout).toContain('+one');
  expect(shown.stderr).toBe('Nothing was sent.\n');
  expect(provider.items).toEqual([]);
  expect((await run('provider', 'list', ...where)).stdout).toMatch(/git +http +paused +1 +\d+ (s|min)/);
  await run('provider', 'resume', 'git', ...where);
  await waitFor('the item', () => provider.taken.length === 1);
  expect(provider.taken).toEqual(['/git/a.md one\n']);
  const ended = await run('ops', 'show', opId, ...where);
  const { correlationId } = await client.operations.get(workspaceId, opId);
  expect(ended.stderr).toContain(`Correlation id: ${correlationId}\n`);
});

it('cancels many operations after a dry run', async () => {
  const { provider, where, client, workspaceId } = await withProvider();
  await run('provider', 'pause', 'git', ...where);
  const one = await client.writeFile(workspaceId, '/git/a.md', 'one\n');
  const two = await client.writeFile(workspaceId, '/git/b.md', 'two\n');
  const lines = `${one.opId} /git/a.md\n${two.opId} /git/b.md\n`;
  const cancel = (...more: readonly string[]) => run('writeback', 'cancel', ...more, ...where);
  for (const wrong of [[], [one.opId, '--all'], [one.opId, '--dry-run'], [one.opId, '--provider', 'git']]) {
    expect(await cancel(...wrong)).toMatchObject({ code: 2 });
  }
  expect(await cancel('--all', '--dry-run')).toMatchObject({
    stdout: lines,
    stderr: 'Dry run: 2 operations would be canceled. Nothing was changed.\n',
  });
  expect((await cancel('--all', '--provider', 'none')).stderr).toBe('Canceled 0 of 0 operations.\n');
  expect(await cancel('--all', '--provider', 'git')).toMatchObject({
    stdout: lines,
    stderr: 'Canceled 2 of 2 operations.\n',
  });
  await run('provider', 'resume', 'git', ...where);
  expect((await run('writeback', 'list', ...where)).stderr).toBe('No pending operations.\n');
  expect(provider.items).toEqual([]);
});

it('previews and replays a dead-lettered operation, and refuses others', async () => {
  const { provider, where, client, workspaceId } = await withProvider();
  await provider.tell({
    behaviour: { kind: 'status', status: 422, body: '{"message":"no title"}' },
    next: 1,
  });
  const dead = await client.writeFile(workspaceId, '/git/a.md', 'one\n');
  const status = async (opId: string) => (await client.operations.get(workspaceId, opId)).status;
  await waitFor('the dead letter', async () => (await status(dead.opId)) === 'dead_lettered');
  const newer = await client.writeFile(workspaceId, '/git/a.md', 'two\n');
  await waitFor('the newer one', async () => (await status(newer.opId)) === 'succeeded');

  const dry = await run('ops', 'replay', dead.opId, '--original', '--dry-run', ...where);
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stdout).toContain('-two\n+one');
  expect(dry.stderr).toMatch(/^Warning: the provider has rev_\d+ of this file, which is newer/);
  const refused = await run('ops', 'replay', newer.opId, '--dry-run', ...where);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`Cannot replay ${newer.opId}: its status is succeeded`);
  const all = ['--all', '--status', 'dead_lettered', '--provider', 'git', ...where];
  const many = await run('ops', 'replay', ...all, '--dry-run');
  expect(many.stdout).toBe(`${dead.opId} /git/a.md\n`);
  expect(provider.items).toHaveLength(2);
  expect((await run('ops', 'replay', dead.opId, ...where)).stderr).toBe(`Replaying ${dead.opId}.\n`);
  await waitFor('the replay', async () => (await status(dead.opId)) === 'succeeded');
  // The current revision is sent, not the older one of the operation.
  expect(provider.items.at(-1)?.data.content).toBe('two\n');
  expect((await run('ops', 'list', '--status', 'dead', ...where)).stderr).toContain('dead_lettered');
});

it('updates settings, waits for a refresh, and shows an open circuit', async () => {
  const { provider, where, client, workspaceId } = await withProvider();
  const nothing = await run('provider', 'refresh', 'git', ...where);
  await run('provider', 'add', 'polled', ...where);
  expect((await run('provider', 'refresh', 'polled', ...where)).stderr).toBe(
    'Cannot refresh polled: it has no URL.\nIts external consumer sends changes as webhooks.\n',
  );
  expect(nothing.stderr).toContain('git has no refresh URL.\nSet one with "mooring provider set git');
  await provider.tell({ pages: [{ files: [{ path: '/git/pulled.md', content: 'from outside' }] }] });
  expect(await run('provider', 'set', 'git', ...where)).toMatchObject({ code: 2 });
  const set = await run(
    'provider',
    'set',
    'git',
    ...where,
    '--refresh-url',
    provider.refreshUrl,
    '--timeout',
    '3s',
    '--json',
  );
  expect(JSON.parse(set.stdout)).toMatchObject({ refreshUrl: provider.refreshUrl, timeoutMs: 3_000 });
  expect(await run('provider', 'refresh', 'git', ...where)).toMatchObject({
    code: 0,
    stderr: 'Refreshed git.\n',
  });
  await waitFor(
    'the pulled file',
    async () => (await client.readFile(workspaceId, '/git/pulled.md')).content === 'from outside',
  );
  expect((await run('provider', 'set', 'git', ...where, '--no-allow-private')).code).toBe(1);
  const without = await run('provider', 'set', 'git', ...where, '--no-refresh-url', '--json');
  expect(JSON.parse(without.stdout)).not.toHaveProperty('refreshUrl');

  await provider.tell({ behaviour: { kind: 'status', status: 429, retryAfter: '3600' } });
  const { opId } = await client.writeFile(workspaceId, '/git/a.md', 'x');
  await waitFor(
    'the refusal',
    async () => (await client.operations.get(workspaceId, opId)).attemptCount === 1,
  );
  // The circuit opens after the attempt was recorded.
  await waitFor('the open circuit', async () =>
    /circuit open +in 59 min /.test((await run('provider', 'list', ...where)).stdout),
  );
  expect((await run('writeback', 'list', ...where)).stdout).toMatch(
    /in 59 min +\/git\/a\.md +it answered 429/,
  );
});

it('the list shows state and cause as the API does, and lists senders that are not registered separately', async () => {
  const { provider, where, client, owner, workspaceId } = await withProvider();
  await provider.tell({ behaviour: { kind: 'status', status: 422 }, next: 1 });
  const statusOf = async (opId: string) => (await client.operations.get(workspaceId, opId)).status;
  const dead = await client.writeFile(workspaceId, '/git/a.md', 'one\n');
  await waitFor('the dead letter', async () => (await statusOf(dead.opId)) === 'dead_lettered');
  const sent = await client.writeFile(workspaceId, '/git/b.md', 'two\n');
  await waitFor('the sent one', async () => (await statusOf(sent.opId)) === 'succeeded');
  const event = { provider: 'slack', event_type: 'file.updated', path: '/slack/../x' };
  await owner.sync.ingestWebhook(workspaceId, event);
  await waitFor(
    'the dead letter of slack',
    async () => (await owner.sync.deadLetters.list(workspaceId)).items.length === 1,
  );
  const listed = await run('provider', 'list', ...where);
  expect(listed.stdout).toMatch(/^git +http +error +0 +1 /m);
  expect(listed.stdout).not.toContain('slack');
  expect(listed.stderr).toBe(
    'git: 1 operation is dead-lettered.\nslack is not registered and only sends webhooks. 1 inbound event is a dead letter.\n',
  );
});
