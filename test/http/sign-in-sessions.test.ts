import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

const url = '/v1/agent/sign-in';
const post = async (agent: HttpAgent, path: string, body: object, origin: string | null) =>
  await request(agent, `${url}/${path}`, {
    method: 'POST',
    token: null,
    body,
    headers: origin === null ? {} : { origin },
  });

function browser() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { publicKey: publicKey.export({ format: 'jwk' }), privateKey };
}

async function codeOfLink(agent: HttpAgent): Promise<string> {
  const link = await request(agent, `${url}/link`, { method: 'POST' });
  return new URLSearchParams(new URL(link.json.url).hash.slice(1)).get('sign-in') ?? '';
}

async function signIn(agent: HttpAgent, { publicKey }: ReturnType<typeof browser>) {
  const made = await post(agent, 'exchange', { code: await codeOfLink(agent), publicKey }, agent.url);
  expect(made.status).toBe(200);
  return made.json as { token: string; sessionId: string };
}

async function proof(agent: HttpAgent, key: KeyObject, sessionId: string, origin = agent.url) {
  const { json } = await post(agent, 'challenge', { sessionId }, agent.url);
  const text = `mooring sign-in refresh v1\n${origin}\n${sessionId}\n${json.challenge}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString(
    'base64url',
  );
  return { sessionId, challenge: json.challenge as string, signature };
}

test('a signed challenge gives the next token, once, for the origin of the sign-in', async () => {
  const agent = await startHttpAgent();
  const made = browser();
  const { sessionId } = await signIn(agent, made);
  const sent = await proof(agent, made.privateKey, sessionId);
  const { json } = await post(agent, 'refresh', sent, agent.url);
  expect((await request(agent, '/v1/agent/status', { token: json.token })).status).toBe(200);
  expect(codeOf(await post(agent, 'refresh', sent, agent.url))).toEqual([401, 'unauthorized']);
  const otherPort = `http://127.0.0.1:${Number(new URL(agent.url).port) + 1}`;
  const sameHost = agent.url.replace('127.0.0.1', 'localhost');
  const refused = async (origin: string | null, named: string) =>
    codeOf(await post(agent, 'refresh', await proof(agent, made.privateKey, sessionId, named), origin));
  expect(await refused(otherPort, otherPort)).toEqual([403, 'forbidden']);
  expect(await refused('https://evil.example', agent.url)).toEqual([403, 'forbidden']);
  expect(await refused(sameHost, sameHost)).toEqual([401, 'unauthorized']);
  expect(await refused(null, agent.url)).toEqual([401, 'unauthorized']);
});

test('a stolen token ends with the session, is not renewed, and cannot be exchanged for another', async () => {
  const agent = await startHttpAgent();
  const { token, sessionId } = await signIn(agent, browser());
  expect(codeOf(await request(agent, `${url}/renew`, { method: 'POST', token }))).toEqual([403, 'forbidden']);
  const exchange = { method: 'POST', token: null, body: { refreshToken: token } };
  expect(codeOf(await request(agent, '/api/v1/auth/token/refresh', exchange))).toEqual([403, 'forbidden']);
  const ended = await request(agent, `${url}/sessions/${sessionId}`, { method: 'DELETE' });
  expect(ended.status).toBe(204);
  expect(errorOf(await request(agent, '/v1/agent/status', { token }))).toEqual([
    401,
    'unauthorized',
    'signed out',
  ]);
  expect(codeOf(await request(agent, `${url}/sessions/${sessionId}`, { method: 'DELETE' }))).toEqual([
    404,
    'not_found',
  ]);
});

test('the owner lists the sessions and ends all of them; a workspace token does not', async () => {
  const agent = await startHttpAgent();
  const mine = await signIn(agent, browser());
  const other = await signIn(agent, browser());
  const listed = await request(agent, `${url}/sessions`, { token: mine.token });
  expect(listed.json.sessions).toHaveLength(2);
  expect(listed.json.sessions.filter((one: { isCurrent: boolean }) => one.isCurrent)).toMatchObject([
    { sessionId: mine.sessionId, origin: agent.url, name: expect.any(String) },
  ]);
  const { token } = await makeWorkspace(agent);
  for (const [method, path] of [
    ['GET', 'sessions'],
    ['DELETE', 'sessions'],
    ['DELETE', `sessions/${mine.sessionId}`],
  ] as const) {
    expect(codeOf(await request(agent, `${url}/${path}`, { method, token }))).toEqual([403, 'forbidden']);
  }
  expect((await request(agent, `${url}/sessions`, { method: 'DELETE' })).json).toEqual({ ended: 2 });
  for (const ended of [mine, other]) {
    expect((await request(agent, '/v1/agent/status', { token: ended.token })).status).toBe(401);
  }
});

test('bad input is refused before anything is signed in', async () => {
  const agent = await startHttpAgent();
  const { publicKey } = browser();
  const code = await codeOfLink(agent);
  const flat = { ...publicKey, x: 'A'.repeat(43), y: 'A'.repeat(43) };
  for (const body of [
    { code, publicKey: { ...publicKey, crv: 'P-384' } },
    { code, publicKey: 'x' },
  ]) {
    expect(codeOf(await post(agent, 'exchange', body, agent.url))).toEqual([400, 'bad_request']);
  }
  expect(codeOf(await post(agent, 'exchange', { code, publicKey }, null))).toEqual([400, 'bad_request']);
  expect(codeOf(await post(agent, 'exchange', { code, publicKey: flat }, agent.url))).toEqual([
    400,
    'bad_request',
  ]);
  expect(codeOf(await post(agent, 'challenge', { sessionId: 'ses_unknown' }, agent.url))).toEqual([
    401,
    'unauthorized',
  ]);
  expect(codeOf(await post(agent, 'challenge', {}, agent.url))).toEqual([400, 'bad_request']);
  const short = { sessionId: 'ses_unknown', challenge: 'x', signature: 'x' };
  expect(codeOf(await post(agent, 'refresh', short, agent.url))).toEqual([400, 'bad_request']);
  expect((await request(agent, `${url}/sessions`)).json.sessions).toEqual([]);
});
