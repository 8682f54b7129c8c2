// W/remotes: what is refused, and with which words. Syncing itself: test/flow/remotes/, test/simulation/remotes.
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';

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

it('refuses a path that is not text', async () => {
  const body = { url: 'http://127.0.0.1:9', remoteWorkspaceId: 'rw_there', tokenFile: '/a\u0000b' };
  expect(await add(body)).toMatchObject({ status: 400, json: { code: 'bad_request' } });
});
