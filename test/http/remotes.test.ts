// W/remotes: what is refused, and with which words. Syncing itself: test/flow/remotes/, test/simulation/remotes.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

let agent: HttpAgent;
let workspaceId: string;
beforeAll(async () => {
  agent = await openHttpAgent();
  workspaceId = (await makeWorkspace(agent)).workspaceId;
});
afterAll(() => agent.close());

function tokenFile(mode: number, text = 'a.token.text'): string {
  const file = path.join(tempFolder('mooring-token'), 'token');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const add = async (body: object) =>
  await request(agent, `/v1/workspaces/${workspaceId}/remotes`, { method: 'POST', body });

it('lists none, and knows no remote by another id', async () => {
  const listed = await request(agent, `/v1/workspaces/${workspaceId}/remotes`);
  expect(listed).toMatchObject({ status: 200, json: { remotes: [] } });
  for (const [method, verb] of [
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['DELETE', ''],
  ] as const) {
    const route = `/v1/workspaces/${workspaceId}/remotes/rem_unknown${verb}`;
    expect(await request(agent, route, { method })).toMatchObject({
      status: 404,
      json: { code: 'not_found' },
    });
  }
});

it.each([
  ['not an address', 'is not an address'],
  ['ftp://hub.example.com', 'is not an address'],
  ['https://name:word@hub.example.com', 'must not contain a name, a password'],
  ['http://hub.example.com', 'is not encrypted: use https, or allow it with --insecure-http'],
  ['http://127.0.0.1:9', 'cannot be reached'],
])('refuses %s with the reason', async (url, reason) => {
  const answer = await add({ url, remoteWorkspaceId: 'rw_there', tokenFile: tokenFile(0o600) });
  expect(answer).toMatchObject({ status: 409, json: { code: 'invalid_state' } });
  expect(answer.json.message).toContain(reason);
});

it.each([
  [0o644, 'a.token', 'other users can read'],
  [0o600, 'two words', 'contains no token'],
  [0o600, '', 'contains no token'],
])('refuses a token file of mode %o with "%s"', async (mode, text, reason) => {
  const file = tokenFile(mode, text);
  const answer = await add({ url: 'http://127.0.0.1:9', remoteWorkspaceId: 'rw_there', tokenFile: file });
  expect(answer).toMatchObject({ status: 409, json: { code: 'invalid_state' } });
  expect(answer.json.message).toContain(reason);
  expect(answer.json.message).not.toContain('two words');
});

it('refuses a token file that is missing, and one that is a directory', async () => {
  for (const file of ['/nonexistent/token', tempFolder('mooring-token')]) {
    const answer = await add({ url: 'http://127.0.0.1:9', remoteWorkspaceId: 'rw_there', tokenFile: file });
    expect(answer.status).toBe(409);
    expect(answer.json.message).toContain(file);
  }
});

it('takes the workspace of the token when none is named, and asks for it when the token says none', async () => {
  const there = (await makeWorkspace(agent)).workspaceId;
  const { remoteWorkspaceId: _named, ...unnamed } = await remoteTo(there);
  expect(await add(unnamed)).toMatchObject({ status: 201, json: { remoteWorkspaceId: there } });
  const other = (await makeWorkspace(agent)).workspaceId;
  const refused = await request(agent, `/v1/workspaces/${other}/remotes`, {
    method: 'POST',
    body: { url: agent.url, tokenFile: tokenFile(0o600, 'a-token-of-another-kind') },
  });
  expect(refused).toMatchObject({ status: 409, json: { code: 'invalid_state' } });
  expect(refused.json.message).toContain('does not say its workspace');
});

it('refuses a path that is not text', async () => {
  const body = { url: 'http://127.0.0.1:9', remoteWorkspaceId: 'rw_there', tokenFile: '/a\u0000b' };
  expect(await add(body)).toMatchObject({ status: 400, json: { code: 'bad_request' } });
});

/** A token for the workspace in a file, and the address and id with which it is used. */
async function remoteTo(there: string, scopes?: readonly string[]) {
  const created = await request(agent, `/v1/workspaces/${there}/tokens`, {
    method: 'POST',
    body: { agent: 'desktop', ...(scopes === undefined ? {} : { scopes }) },
  });
  const file = tokenFile(0o600, String(created.json.token));
  return { url: agent.url, remoteWorkspaceId: there, tokenFile: file };
}

it('refuses the workspace itself, also when it is empty', async () => {
  for (const path of [null, '/a.md', '/b.md']) {
    if (path !== null)
      await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=${path}`, {
        method: 'PUT',
        headers: { 'if-match': '0' },
        body: { content: 'text' },
      });
    const answer = await add(await remoteTo(workspaceId));
    expect(answer).toMatchObject({ status: 409, json: { code: 'invalid_state' } });
    expect(answer.json.message).toContain(
      'this is the workspace itself: choose a workspace of another server',
    );
  }
});

it('refuses a token with too few scopes, and says which are needed', async () => {
  const there = (await makeWorkspace(agent)).workspaceId;
  const answer = await add(await remoteTo(there, ['sync:read']));
  expect(answer).toMatchObject({ status: 409, json: { code: 'invalid_state' } });
  expect(answer.json.message).toContain('too few scopes');
});

it('has no provider and remote of the same files, in either order', async () => {
  const there = (await makeWorkspace(agent)).workspaceId;
  const here = (await makeWorkspace(agent)).workspaceId;
  const remotes = `/v1/workspaces/${here}/remotes`;
  const provider = { provider: 'notion', kind: 'external' };
  const addProvider = () =>
    request(agent, `/v1/workspaces/${here}/providers`, { method: 'POST', body: provider });
  expect((await addProvider()).status).toBe(201);
  const body = await remoteTo(there);
  for (const path of ['/', '/notion', '/notion/pages']) {
    const refused = await request(agent, remotes, { method: 'POST', body: { ...body, path } });
    expect(refused).toMatchObject({ status: 409, json: { code: 'invalid_state' } });
    expect(refused.json.message).toContain(
      'the provider "notion" has the files below /notion here: remove it',
    );
  }
  const added = await request(agent, remotes, { method: 'POST', body: { ...body, path: '/docs' } });
  expect(added.status).toBe(201);
  await request(agent, `/v1/workspaces/${here}/providers/notion`, { method: 'DELETE' });
  await request(agent, `${remotes}/${String(added.json.remoteId)}`, { method: 'DELETE' });
  const whole = await request(agent, remotes, { method: 'POST', body });
  expect(whole.status).toBe(201);
  const refused = await addProvider();
  expect(refused).toMatchObject({ status: 409, json: { code: 'invalid_state' } });
  expect(refused.json.message).toContain('register the provider there, or remove the remote');
});

it('shows a refused token, and connects when its file was replaced', async () => {
  const there = (await makeWorkspace(agent)).workspaceId;
  const here = (await makeWorkspace(agent)).workspaceId;
  const remotes = `/v1/workspaces/${here}/remotes`;
  const body = await remoteTo(there);
  const stateOf = async () => {
    const { json } = await request(agent, remotes);
    const [remote] = (json as { remotes: readonly { state: string; remoteId: string }[] }).remotes;
    return remote;
  };
  expect((await request(agent, remotes, { method: 'POST', body })).status).toBe(201);
  await waitFor('it to be in step', async () => (await stateOf())?.state === 'idle');
  const { tokens } = (await request(agent, `/v1/workspaces/${there}/tokens`)).json as {
    tokens: readonly { tokenId: string }[];
  };
  for (const { tokenId } of tokens)
    await request(agent, `/v1/workspaces/${there}/tokens/${tokenId}`, { method: 'DELETE' });
  await waitFor('it to be refused', async () => (await stateOf())?.state === 'unauthorized');
  writeFileSync(body.tokenFile, readFileSync((await remoteTo(there)).tokenFile));
  await waitFor('it to be in step again', async () => (await stateOf())?.state === 'idle');
});

it('keeps and lists what a token may only read there, and still receives', async () => {
  const there = (await makeWorkspace(agent)).workspaceId;
  const here = (await makeWorkspace(agent)).workspaceId;
  const remotes = `/v1/workspaces/${here}/remotes`;
  const write = (workspace: string, path: string) =>
    request(agent, `/v1/workspaces/${workspace}/fs/file?path=${path}`, {
      method: 'PUT',
      headers: { 'if-match': '*' },
      body: { content: `text of ${path}` },
    });
  const has = async (workspace: string, path: string) =>
    (await request(agent, `/v1/workspaces/${workspace}/fs/file?path=${path}`)).status === 200;
  await write(here, '/mine.md');
  const body = await remoteTo(there, ['fs:read', 'sync:read']);
  expect((await request(agent, remotes, { method: 'POST', body })).status).toBe(201);
  await write(there, '/theirs.md');
  await waitFor('their file to arrive', async () => await has(here, '/theirs.md'));
  const listed = await waitFor('the file to be listed', async () => {
    const { json } = await request(agent, remotes);
    const [remote] = (json as { remotes: readonly { problemList: readonly object[] }[] }).remotes;
    return remote?.problemList[0];
  });
  expect(listed).toMatchObject({
    kind: 'no_access',
    path: '/mine.md',
    next: 'Use a token that may write it. The file is kept here.',
  });
  expect([await has(here, '/mine.md'), await has(there, '/mine.md')]).toEqual([true, false]);
});
