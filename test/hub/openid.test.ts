// Users of a hub sign in at an OpenID provider: two processes on a real PostgreSQL, and a real provider.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { MooringClient } from '../../sdk/index.ts';
import { AgentProcess, mooring } from '../support/agent.ts';
import { ownerClient } from '../support/client-of.ts';
import { hubDatabase } from '../support/hub-database.ts';
import {
  clientSecret,
  freePort,
  OpenIdProvider,
  openIdArguments,
  type Person,
} from '../support/openid-provider.ts';
import { removeFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

let folder: string;
let provider: OpenIdProvider;
let publicUrl: string;
let processes: readonly AgentProcess[] = [];
let owner: MooringClient;
let workspaceId: string;

beforeAll(async () => {
  if (noPostgres !== null) return;
  folder = mkdtempSync(path.join(tmpdir(), 'mooring-openid-'));
  const listen = `127.0.0.1:${await freePort()}`;
  publicUrl = `http://${listen}`;
  provider = await OpenIdProvider.start(`${publicUrl}/`);
  const keyFile = path.join(folder, 'master.key');
  const secretFile = path.join(folder, 'client.secret');
  writeFileSync(secretFile, `${clientSecret}\n`, { mode: 0o600 });
  const database = ['--database', await hubDatabase(folder), '--master-key-file', keyFile];
  expect((await mooring(['hub', 'init', ...database])).code).toBe(0);
  const args = [...database, ...openIdArguments(provider, publicUrl, secretFile)];
  const [first, second] = ['a', 'b'].map((name) => new AgentProcess(path.join(folder, name), { args }));
  if (first === undefined || second === undefined) return;
  processes = [first, second];
  await Promise.all([first.start(listen), second.start()]);
  owner = ownerClient(first);
  ({ workspaceId } = await owner.workspaces.create({ name: 'team' }));
}, 180_000);
afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill9()));
  if (noPostgres !== null) return;
  await provider.stop();
  removeFolder(folder);
});

const at = (index: number) =>
  new MooringClient({ baseUrl: processes[index]?.url ?? '', retry: { retries: 0 } }).agent.signIn;

/** Begins at the first process and finishes at the second. */
async function signIn(person: Person, change: Changes = {}) {
  const { url, flow } = await at(0).beginOpenId();
  const asked = new URL(url);
  change.asked?.(asked.searchParams);
  const response = new URLSearchParams(await provider.signIn(person, asked.href));
  change.response?.(response);
  return await at(1).finishOpenId({ flow: change.flow ?? flow, response: response.toString() });
}

interface Changes {
  /** What the browser sends to the provider. */
  readonly asked?: (query: URLSearchParams) => void;
  /** What the browser returns with. */
  readonly response?: (query: URLSearchParams) => void;
  readonly flow?: string;
}

async function userOf(token: string) {
  const client = new MooringClient({ baseUrl: processes[1]?.url ?? '', token, retry: { retries: 0 } });
  return await client.users.me();
}

describe.skipIf(noPostgres !== null)(`OpenID${noPostgres === null ? '' : `: ${noPostgres}`}`, () => {
  it('a user signs in by the verified address first, then by issuer and subject, at any process', async () => {
    const { userId } = await owner.users.add(workspaceId, {
      name: 'anna',
      email: 'Anna@example.com',
      role: 'editor',
    });
    const invite = await owner.users.invite(userId);
    expect(await at(0).methods()).toEqual({
      invites: true,
      openId: { name: new URL(provider.issuer).host, url: publicUrl },
    });
    const anna = { sub: 'sub-anna', email: 'anna@example.com', emailVerified: true };
    const { token } = await signIn(anna);
    expect(await userOf(token)).toMatchObject({
      owner: false,
      user: { name: 'anna' },
      roles: [{ workspaceId, role: 'editor' }],
    });
    // The link that was open ended with it.
    const secret = new URL(invite.url).hash.slice('#invite='.length);
    await expect(owner.users.exchangeInvite({ invite: secret })).rejects.toMatchObject({ status: 401 });
    // Another address at the provider, and one that is not verified, is the same person.
    expect(
      (await userOf((await signIn({ sub: 'sub-anna', email: 'other@example.com' })).token)).user?.name,
    ).toBe('anna');
    await waitFor('the other process', async () => {
      const users = await owner.users.list();
      return users.find(({ name }) => name === 'anna')?.issuer === provider.issuer;
    });
    // Another account with her address does not become her.
    await expect(signIn({ ...anna, sub: 'sub-thief' })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('another account'),
    });
  });

  it('strangers, unverified addresses and disabled users are refused with what to ask for', async () => {
    await owner.users.add(workspaceId, { name: 'ben', email: 'ben@example.com', role: 'reader' });
    const ben = { sub: 'sub-ben', email: 'ben@example.com' };
    await expect(signIn(ben)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('no verified email address'),
    });
    await expect(signIn({ sub: 'sub-none' })).rejects.toMatchObject({ status: 403 });
    await expect(signIn({ sub: 'sub-x', email: 'x@example.com', emailVerified: true })).rejects.toMatchObject(
      {
        status: 403,
        message: expect.stringMatching(/no user of this hub has the address x@example\.com/),
      },
    );
    const { token } = await signIn({ ...ben, emailVerified: true });
    const { user } = await userOf(token);
    await owner.users.setDisabled(user?.userId ?? '', true);
    await waitFor('the end of the session at the other process', async () =>
      userOf(token).then(
        () => false,
        ({ status }: { status?: number }) => status === 401,
      ),
    );
    await expect(signIn({ ...ben, emailVerified: true })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('disabled'),
    });
  });

  it('an answer that the provider did not give to this sign-in is refused', async () => {
    const carl = { sub: 'sub-carl', email: 'carl@example.com', emailVerified: true };
    await owner.users.add(workspaceId, { name: 'carl', email: 'carl@example.com', role: 'reader' });
    const other = await at(0).beginOpenId();
    const refused = { status: 401 };
    const changes: readonly Changes[] = [
      { asked: (query) => query.set('nonce', 'another nonce') },
      { asked: (query) => query.set('state', 'another state') },
      { asked: (query) => query.set('code_challenge', 'A'.repeat(43)) },
      { response: (query) => query.set('state', 'another state') },
      { response: (query) => query.delete('state') },
      { response: (query) => query.set('code', 'another code') },
      { response: (query) => query.set('iss', 'https://login.example.org') },
      { flow: other.flow },
      { flow: 'no flow' },
      { response: (query) => query.set('error', 'access_denied') },
    ];
    for (const change of changes)
      await expect(signIn(carl, change), String(change)).rejects.toMatchObject(refused);
    // Once.
    const { url, flow } = await at(0).beginOpenId();
    const response = await provider.signIn(carl, url);
    await at(0).finishOpenId({ flow, response });
    await expect(at(1).finishOpenId({ flow, response })).rejects.toMatchObject(refused);
    const log = processes.map(({ stderr }) => stderr).join('\n');
    expect(log).toContain('a sign-in at the OpenID provider failed');
    expect(log).not.toContain(new URLSearchParams(response).get('code'));
    expect(log).not.toContain(clientSecret);
  });

  it('the provider returns to the configured address alone', async () => {
    const begin = `${processes[1]?.url}/v1/agent/sign-in/openid?redirect_uri=https://evil.example.com/`;
    const answer = await fetch(begin, {
      method: 'POST',
      headers: { 'x-correlation-id': 'test', 'x-forwarded-host': 'evil.example.com' },
    });
    const { url } = (await answer.json()) as { url: string };
    expect(new URL(url).origin).toBe(provider.issuer);
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${publicUrl}/`);
    const elsewhere = await fetch(begin, {
      method: 'POST',
      headers: { 'x-correlation-id': 'test', origin: processes[1]?.url ?? '' },
    });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      409,
      expect.stringContaining(`sign in at ${publicUrl}`),
    ]);
  });

  it('a provider that does not respond is no refusal, and links still sign in', async () => {
    const dora = { sub: 'sub-dora', email: 'dora@example.com', emailVerified: true };
    const { userId } = await owner.users.add(workspaceId, {
      name: 'dora',
      email: dora.email,
      role: 'reader',
    });
    const { url, flow } = await at(0).beginOpenId();
    const response = await provider.signIn(dora, url);
    await provider.stop();
    await expect(at(0).finishOpenId({ flow, response })).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('does not respond'),
    });
    const [, second] = processes;
    await second?.stop();
    await second?.start();
    await expect(at(1).beginOpenId()).rejects.toMatchObject({ status: 503 });
    const { url: link } = await owner.users.invite(userId);
    await owner.users.exchangeInvite({ invite: new URL(link).hash.slice('#invite='.length) });
  });
});
