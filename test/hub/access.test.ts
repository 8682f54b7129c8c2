// What holds for who asks holds on all processes of a hub: a revoked token, a sign-in of a browser, a quota.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import pg from 'pg';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { MooringClient, UnauthorizedError } from '../../sdk/index.ts';
import type { AgentProcess } from '../support/agent.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { type Hub, startHub } from '../support/hub-processes.ts';
import { scaled } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

/** How balancers name the hub. */
const host = 'hub.example.com';
const origin = `https://${host}`;
/** Asked of the product is a second (docs/hub.md, "Several processes"): for a machine of its own. */
const endsWithinMs = scaled(10_000, 1_000);

interface Pair extends Hub {
  readonly database: string;
  readonly pair: readonly [AgentProcess, AgentProcess];
}

async function hubOf(name: string): Promise<Pair> {
  const database = await hubDatabase(tempFolder(name));
  const hub = await startHub(database, 2, ['--allow-host', host]);
  const [one, two] = hub.processes;
  if (one === undefined || two === undefined) throw new Error('two processes were started');
  return { ...hub, client: hub.client, database, pair: [one, two] };
}

async function runIn(database: string, sql: string, values: readonly unknown[]): Promise<void> {
  const connection = new pg.Client({ connectionString: database });
  await connection.connect();
  try {
    await connection.query(sql, [...values]);
  } finally {
    await connection.end();
  }
}

const clientAt = ({ url: baseUrl }: AgentProcess, token: string) =>
  new MooringClient({ baseUrl, token, retry: { retries: 0 } });

async function refusedWithin(ask: () => Promise<unknown>): Promise<unknown> {
  const begun = performance.now();
  const refusal = await waitFor(
    'the refusal',
    async () =>
      await ask().then(
        () => null,
        (thrown: unknown) => thrown,
      ),
    { deadlineMs: 3 * endsWithinMs },
  );
  expect(performance.now() - begun).toBeLessThan(endsWithinMs);
  return refusal;
}

it('a revoked token is refused by the other process within a second, also when no notice comes', async () => {
  const { pair, client, workspaceId, database } = await hubOf('mooring-revoked');
  const ends = {
    notified: async (tokenId: string) =>
      await clientAt(pair[0], pair[0].ownerToken).tokens.revoke(workspaceId, tokenId),
    // Nobody is told: the processes find it when they look.
    looked: async (tokenId: string) =>
      await runIn(database, 'UPDATE mooring.tokens SET revoked_at = 1 WHERE token_id = $1', [tokenId]),
  };
  for (const [name, end] of Object.entries(ends)) {
    const issued = await client.tokens.create(workspaceId, { agent: name, scopes: ['fs:read'] });
    const laptop = clientAt(pair[1], issued.token);
    await laptop.listTree(workspaceId);
    await end(issued.accessToken.tokenId);
    expect(await refusedWithin(async () => await laptop.listTree(workspaceId))).toBeInstanceOf(
      UnauthorizedError,
    );
  }
});

it('deletions of a token count together', async () => {
  const { pair, client, workspaceId } = await hubOf('mooring-quota');
  const names = Array.from({ length: 8 }, (_, index) => `/f${index}.md`);
  for (const name of names) await client.writeFile(workspaceId, name, name);
  const { token } = await client.tokens.create(workspaceId, { agent: 'script', deletesPerMinute: 3 });
  const results = await Promise.allSettled(
    names.map(async (name, index) => {
      const at = index % 2 === 0 ? pair[0] : pair[1];
      await clientAt(at, token).deleteFile(workspaceId, name);
    }),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ status: 429, code: 'delete_storm_rejected' });
});

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, string>>;
}

/** As the balancer passes it on. */
async function ask(
  { url }: AgentProcess,
  method: string,
  path: string,
  token: string | null,
  body?: object,
): Promise<Answer> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const request = httpRequest(new URL(path, url), {
    method,
    headers: {
      host,
      origin,
      ...(text === '' ? {} : { 'content-type': 'application/json' }),
      'content-length': Buffer.byteLength(text),
      ...(token === null ? {} : { authorization: `Bearer ${token}`, 'x-correlation-id': 'hub-access' }),
    },
  });
  return await new Promise((resolve, reject) => {
    request.on('error', reject).on('response', async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      const answer = Buffer.concat(parts).toString('utf8');
      resolve({ status: response.statusCode ?? 0, json: answer === '' ? {} : JSON.parse(answer) });
    });
    request.end(text);
  });
}

const signIn = '/v1/agent/sign-in';

function signed(key: KeyObject, sessionId: string, challenge: string): string {
  const text = Buffer.from(`mooring sign-in refresh v1\n${origin}\n${sessionId}\n${challenge}`);
  return sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}

it('a browser that signs in at one process is signed in at all, and signed out of all', async () => {
  const { pair, workspaceId } = await hubOf('mooring-sign-in');
  const [one, two] = pair;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const link = await ask(one, 'POST', `${signIn}/link`, one.ownerToken);
  expect(link).toMatchObject({ status: 201 });
  const code = new URLSearchParams(new URL(link.json.url ?? '').hash.slice(1)).get('sign-in') ?? '';
  const exchange = { code, publicKey: publicKey.export({ format: 'jwk' }) };
  // Both tabs of a browser at once: one code is good once, on whichever process.
  const exchanged = await Promise.all(
    pair.map(async (process) => await ask(process, 'POST', `${signIn}/exchange`, null, exchange)),
  );
  expect(exchanged.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  const { token = '', sessionId = '' } = exchanged.find(({ status }) => status === 200)?.json ?? {};
  for (const process of pair) expect((await ask(process, 'GET', '/v1/agent/status', token)).status).toBe(200);

  const { json } = await ask(one, 'POST', `${signIn}/challenge`, null, { sessionId });
  const challenge = json.challenge ?? '';
  const proof = { sessionId, challenge, signature: signed(privateKey, sessionId, challenge) };
  const refreshed = await Promise.all(
    [two, one, two].map(async (process) => await ask(process, 'POST', `${signIn}/refresh`, null, proof)),
  );
  expect(refreshed.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  const next = refreshed.find(({ status }) => status === 200)?.json.token ?? '';

  const socket = new MooringClient({ baseUrl: two.url, token: next, retry: { retries: 0 } });
  const states: string[] = [];
  const subscription = socket.subscribe(workspaceId, {
    onEvent: () => undefined,
    onState: ({ kind }) => states.push(kind),
  });
  onTestFinished(() => subscription.close());
  await waitFor('the WebSocket', () => states.includes('live'));
  const ended = await ask(one, 'DELETE', `${signIn}/sessions/${sessionId}`, one.ownerToken);
  expect(ended.status).toBe(204);
  const begun = performance.now();
  await waitFor(
    'the other process to refuse the session',
    async () => (await ask(two, 'GET', '/v1/agent/status', next)).status === 401,
  );
  expect(performance.now() - begun).toBeLessThan(endsWithinMs);
  await waitFor('the end of its WebSocket', () => states.at(-1) !== 'live');
  expect((await ask(two, 'POST', `${signIn}/challenge`, null, { sessionId })).status).toBe(401);
});
