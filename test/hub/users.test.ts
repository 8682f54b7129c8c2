// The users of a hub: two processes on a real PostgreSQL, commands and clients as people use them.
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { type EventFrame, MooringClient } from '../../sdk/index.ts';
import { AgentProcess, mooring } from '../support/agent.ts';
import { ownerClient } from '../support/client-of.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { removeFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

let folder: string;
let keyFile: string;
let databaseUrl: string;
let processes: readonly AgentProcess[] = [];
let first: MooringClient;
let second: MooringClient;
let ownerLink: string;

beforeAll(async () => {
  if (noPostgres !== null) return;
  folder = mkdtempSync(path.join(tmpdir(), 'mooring-users-'));
  keyFile = path.join(folder, 'master.key');
  databaseUrl = await hubDatabase(folder);
  const init = ['hub', 'init', '--database', databaseUrl, '--master-key-file', keyFile, '--owner', 'olga'];
  const prepared = await mooring([...init, '--json']);
  expect([prepared.code, prepared.stderr]).toEqual([0, '']);
  expect(JSON.parse(prepared.stdout)).toMatchObject({ keyMade: true });
  const again = await mooring([...init, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ keyMade: false });
  ownerLink = JSON.parse(again.stdout).url;
  const args = ['--database', databaseUrl, '--master-key-file', keyFile];
  processes = ['a', 'b'].map((name) => new AgentProcess(path.join(folder, name), { args }));
  await Promise.all(processes.map((one) => one.start()));
  [first, second] = processes.map(ownerClient) as [MooringClient, MooringClient];
}, 180_000);
afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill9()));
  if (noPostgres === null) removeFolder(folder);
});

const secretOf = (url: string) => new URL(url).hash.slice('#invite='.length);
const urlOf = (index: number) => processes[index]?.url ?? '';
const clientOf = (token: string, index = 0) =>
  new MooringClient({ baseUrl: urlOf(index), token, retry: { retries: 0 } });
const statusOf = async (call: Promise<unknown>) =>
  await call.then(
    () => 200,
    (error: { status?: number }) => error.status ?? error,
  );
const command = (...args: string[]) => mooring([...args, '--data-dir', path.join(folder, 'a')]);

/** A user with a role in a new workspace, signed in at the first process. */
async function signedIn(name: string, role: 'reader' | 'editor' | 'owner', workspaceId?: string) {
  const workspace = workspaceId ?? (await first.workspaces.create({ name: `of-${name}` })).workspaceId;
  const { userId } = await first.users.add(workspace, { name, role });
  const { url } = await first.users.invite(userId);
  const session = await first.users.exchangeInvite({ invite: secretOf(url) });
  return { workspaceId: workspace, userId, client: clientOf(session.token), session };
}

describe.skipIf(noPostgres !== null)(`users of a hub${noPostgres === null ? '' : `: ${noPostgres}`}`, () => {
  it('are added and join by commands, and history names them with their machine', async () => {
    await command('workspace', 'create', '--name', 'team');
    const added = await command(
      'hub',
      'user',
      'add',
      'anna',
      '--workspace',
      'team',
      '--email',
      'Anna@example.com',
    );
    expect([added.code, added.stdout]).toEqual([
      0,
      expect.stringMatching(/^http:\/\/\S+#invite=[\w-]{32}\n$/),
    ]);
    const tokenFile = path.join(folder, 'anna.token');
    const join = ['hub', 'join', added.stdout.trim(), '--token-file', tokenFile, '--agent', 'laptop'];
    expect(await first.users.lookUpInvite(secretOf(added.stdout.trim()))).toEqual({ name: 'anna' });
    const joined = await mooring(join);
    expect([joined.code, joined.stderr]).toEqual([0, expect.stringContaining('You are anna in team')]);
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    const anna = clientOf(readFileSync(tokenFile, 'utf8').trim(), 1);
    const { workspaceId } = (await first.workspaces.list()).find(({ name }) => name === 'team') ?? {
      workspaceId: '',
    };
    await anna.writeFile(workspaceId, '/plan.md', 'by Anna');
    const log = await command('log', '/plan.md', '--workspace', 'team');
    expect(log.stdout).toContain('anna (laptop)');
    expect(await anna.users.me()).toMatchObject({
      owner: false,
      user: { name: 'anna' },
      roles: [{ workspaceId, role: 'editor' }],
    });
    // Once: neither the same link nor the same file is used again.
    expect((await mooring(join)).code).not.toBe(0);
    expect(await statusOf(second.users.lookUpInvite(secretOf(added.stdout.trim())))).toBe(401);
    expect((await mooring(join.with(4, path.join(folder, 'other.token')))).stderr).toMatch(
      /unknown, used or expired/,
    );
    const list = await command('hub', 'user', 'list');
    expect(list.stdout).toMatch(/anna +Anna@example\.com +active +team: editor/);
    expect((await command('hub', 'user', 'add', 'ANNA', '--workspace', 'team')).stderr).toMatch(/has a role/);
  });

  it('the owner of the hub signs in by link with all rights, under the own name', async () => {
    const { token } = await first.users.exchangeInvite({ invite: secretOf(ownerLink) });
    const olga = clientOf(token);
    expect(await olga.users.me()).toMatchObject({ owner: true, user: { name: 'olga' } });
    const { workspaceId } = await olga.workspaces.create({ name: 'hers' });
    await olga.writeFile(workspaceId, '/a', 'x');
    const { entries } = await first.history.page(workspaceId, '/a');
    expect(entries[0]?.actor.name).toBe('olga');
    const init = await mooring([
      'hub',
      'init',
      '--database',
      databaseUrl,
      '--master-key-file',
      keyFile,
      '--owner',
      'olga',
    ]);
    expect(init.stderr).toContain('has signed in before');
  });

  it('one invite has one winner on two processes, and a disabled user none', async () => {
    const { workspaceId } = await first.workspaces.create({ name: 'race' });
    const { userId } = await first.users.add(workspaceId, { name: 'racer', role: 'reader' });
    const { url } = await first.users.invite(userId);
    const tries = Array.from({ length: 8 }, (_, index) =>
      statusOf((index % 2 === 0 ? first : second).users.join({ invite: secretOf(url) })),
    );
    expect((await Promise.all(tries)).toSorted()).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    const next = await first.users.invite(userId);
    await first.users.setDisabled(userId, true);
    expect(await statusOf(second.users.join({ invite: secretOf(next.url) }))).toBe(401);
    expect(await statusOf(first.users.invite(userId))).toBe(409);
  });

  it('a role decides at each use, on every process: tokens are narrowed, streams closed, registrations ended', async () => {
    const { workspaceId, userId, client } = await signedIn('wanda', 'owner');
    const { token, accessToken } = await client.tokens.create(workspaceId, {
      agent: 'tablet',
      scopes: ['fs:read', 'fs:write', 'webhooks:write', 'webhooks:read'],
    });
    expect(accessToken).toMatchObject({ agent: 'tablet', user: 'wanda' });
    const tablet = clientOf(token, 1);
    await waitFor(
      'the user on the other process',
      async () => (await statusOf(tablet.writeFile(workspaceId, '/a', '1'))) === 200,
    );
    await tablet.webhooks.register(workspaceId, { url: 'https://hooks.example.com/', pathGlobs: ['/**'] });
    expect(await first.webhooks.list(workspaceId)).toHaveLength(1);
    const states: string[] = [];
    const seen: EventFrame[] = [];
    const stream = tablet.subscribe(workspaceId, {
      onEvent: (event) => seen.push(event),
      onState: ({ kind }) => states.push(kind),
    });
    await waitFor('the stream', () => states.includes('live'));

    await first.users.setRole(workspaceId, userId, 'reader');
    const changedAt = performance.now();
    await waitFor(
      'the refusal at the other process',
      async () => (await statusOf(tablet.writeFile(workspaceId, '/b', '2'))) === 403,
    );
    expect(performance.now() - changedAt).toBeLessThan(5_000);
    expect((await tablet.readFile(workspaceId, '/a')).content).toBe('1');
    expect((await first.webhooks.list(workspaceId)).map(({ status }) => status)).toEqual(['ended']);
    await waitFor('the end of the stream', () =>
      states.slice(states.indexOf('live')).some((kind) => kind !== 'live'),
    );
    stream.close();
    expect(await statusOf(client.users.add(workspaceId, { name: 'nobody', role: 'owner' }))).toBe(403);
    expect(await statusOf(client.tokens.create(workspaceId, { scopes: ['fs:write'] }))).toBe(403);

    await first.users.remove(workspaceId, userId);
    expect(await statusOf(clientOf(token).readFile(workspaceId, '/a'))).toBe(401);
    await waitFor(
      'the other process',
      async () => (await statusOf(tablet.readFile(workspaceId, '/a'))) === 401,
    );
    expect(await client.workspaces.list()).toEqual([]);
    // A new role does not bring back what the old one had.
    await first.users.setRole(workspaceId, userId, 'owner');
    expect(await statusOf(clientOf(token).readFile(workspaceId, '/a'))).toBe(401);
    expect(await statusOf(client.readFile(workspaceId, '/a'))).toBe(200);
    await first.users.setDisabled(userId, true);
    expect(await statusOf(client.readFile(workspaceId, '/a'))).toBe(401);
  });

  it('a user sees the workspaces, tokens and addresses that concern the user, and no more', async () => {
    const boss = await signedIn('boss', 'owner');
    const { workspaceId } = boss;
    const other = await signedIn('stranger', 'owner');
    const reader = await signedIn('rita', 'reader', workspaceId);
    expect((await reader.client.workspaces.list()).map((one) => one.workspaceId)).toEqual([workspaceId]);
    const { changed } = await reader.client.agent.changes({ cursor: '0' });
    expect(changed.every((one) => one.workspaceId === undefined || one.workspaceId === workspaceId)).toBe(
      true,
    );
    expect(await statusOf(reader.client.agent.clients())).toBe(403);
    const status = await reader.client.agent.status();
    expect([status.workspaces.length, status.dataDir, status.members]).toEqual([1, '', undefined]);
    expect(await statusOf(other.client.readFile(workspaceId, '/a'))).toBe(403);
    expect(await statusOf(other.client.users.ofWorkspace(workspaceId))).toBe(403);
    expect(await reader.client.users.ofWorkspace(workspaceId)).toMatchObject([
      { name: 'boss', role: 'owner', isSelf: false },
      { name: 'rita', role: 'reader', isSelf: true },
    ]);
    await first.tokens.create(workspaceId, { agent: 'service' });
    const own = await reader.client.tokens.create(workspaceId, { agent: 'phone' });
    expect(own.accessToken.scopes).toEqual(['fs:read', 'sync:read', 'ops:read']);
    const bosses = await boss.client.tokens.create(workspaceId);
    expect((await reader.client.tokens.list(workspaceId)).map(({ user }) => user)).toEqual(['rita']);
    expect((await boss.client.tokens.list(workspaceId)).length).toBe(3);
    expect(await statusOf(reader.client.tokens.revoke(workspaceId, bosses.accessToken.tokenId))).toBe(404);
    await boss.client.tokens.revoke(workspaceId, own.accessToken.tokenId);
    expect(await statusOf(clientOf(own.token).listTree(workspaceId))).toBe(401);
    for (const refused of [
      () => reader.client.users.list(),
      () => reader.client.users.setRole(workspaceId, reader.userId, 'owner'),
      () => boss.client.users.create({ name: 'x' }),
      () => boss.client.users.setDisabled(reader.userId, true),
      () => boss.client.workspaces.create({ name: 'x' }),
      () => boss.client.agent.settings(),
      () => boss.client.agent.signIn.link(),
      () => boss.client.sync.admin.ingress(),
      // A program has scopes, not a role.
      () => clientOf(bosses.token).users.ofWorkspace(workspaceId),
      () => clientOf(bosses.token).tokens.list(workspaceId),
    ])
      expect(await statusOf(refused()), refused.toString()).toBe(403);
    expect((await reader.client.agent.signIn.sessions()).map(({ user }) => user)).toEqual(['rita']);
  });

  it('an owner of a workspace cannot become another user, nor leave the workspace without an owner', async () => {
    const boss = await signedIn('chief', 'owner');
    const { workspaceId } = boss;
    const known = await signedIn('known', 'reader');
    await boss.client.users.add(workspaceId, { name: 'known', role: 'reader' });
    expect(await statusOf(boss.client.users.inviteToWorkspace(workspaceId, known.userId))).toBe(403);
    const fresh = await boss.client.users.add(workspaceId, { name: 'fresh', role: 'reader' });
    const link = await boss.client.users.inviteToWorkspace(workspaceId, fresh.userId);
    expect(link.url).toContain('#invite=');
    // Another workspace takes the new user in: the link of this one is void, or its maker could enter there.
    await first.users.setRole(known.workspaceId, fresh.userId, 'owner');
    expect(await statusOf(second.users.join({ invite: secretOf(link.url), workspaceId }))).toBe(401);
    expect(await statusOf(boss.client.users.inviteToWorkspace(workspaceId, fresh.userId))).toBe(403);
    expect(await statusOf(boss.client.users.remove(workspaceId, boss.userId))).toBe(409);
    expect(await statusOf(boss.client.users.setRole(workspaceId, boss.userId, 'reader'))).toBe(409);
  });

  it('bad requests are refused in words', async () => {
    const { workspaceId } = await first.workspaces.create({ name: 'bad' });
    expect(await statusOf(first.users.create({ name: 'two words' }))).toBe(400);
    expect(await statusOf(first.users.create({ name: 'x', email: 'no address' }))).toBe(400);
    expect(await statusOf(first.users.setRole(workspaceId, 'usr_unknown', 'reader'))).toBe(404);
    expect(await statusOf(first.users.join({ invite: 'x' }))).toBe(401);
    const { userId } = await first.users.create({ name: 'homeless' });
    const { url } = await first.users.invite(userId);
    await expect(first.users.join({ invite: secretOf(url) })).rejects.toMatchObject({ status: 409 });
    await first.users.setRole(workspaceId, userId, 'reader');
    // The refusal before has left the invite valid.
    expect(await statusOf(second.users.join({ invite: secretOf(url) }))).toBe(200);
  });
});
