// GET /v1/agent/logs and /minutes: for the owner alone, with filters that are checked.
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logFiles } from '../../server/platform/observe/log-file.ts';
import { codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

const get = (query: string, token = agent.ownerToken) => request(agent, `/v1/agent/logs${query}`, { token });

test('entries are read by the owner, newest first, in pages, and live', async () => {
  expect((await get('')).json).toEqual({ entries: [], nextCursor: null, newestId: null, complete: true });
  const { current } = logFiles(agent.dataDir);
  mkdirSync(path.dirname(current), { recursive: true });
  const write = (msg: string, rest: object = {}) =>
    appendFileSync(
      current,
      `${JSON.stringify({ level: 'info', time: new Date().toISOString(), pid: 1, ...rest, msg })}\n`,
    );
  write('first', { source: 'store' });
  write('second', { source: 'mirror', level: 'error', mirrorId: 'mir_1', correlationId: 'c-1' });
  const page = (await get('?limit=1')).json;
  expect(page.entries).toMatchObject([
    {
      level: 'error',
      source: 'mirror',
      message: 'second',
      correlationId: 'c-1',
      fields: { mirrorId: 'mir_1' },
    },
  ]);
  const older = (await get(`?cursor=${page.nextCursor}`)).json;
  expect([older.entries.map(({ message }: { message: string }) => message), older.nextCursor]).toEqual([
    ['first'],
    null,
  ]);
  write('third');
  const newer = (await get(`?after=${page.newestId}`)).json;
  expect([newer.entries.length, newer.entries[0].message, newer.complete]).toEqual([1, 'third', true]);
  const { minutes } = (await get('/minutes?level=error')).json;
  const sum = (name: string) =>
    minutes.reduce((total: number, minute: Record<string, number>) => total + (minute[name] ?? 0), 0);
  expect([minutes.length, sum('count'), sum('errorCount')]).toEqual([60, 1, 1]);
});

test('wrong filters are refused, and others than the owner', async () => {
  for (const query of [
    '?level=loud',
    '?source=disk',
    '?cursor=x',
    '?after=1.2.3',
    '?since=soon',
    `?q=${'x'.repeat(201)}`,
  ])
    expect([query, ...codeOf(await get(query))]).toEqual([query, 400, 'bad_request']);
  expect(codeOf(await get('/minutes?level=loud'))).toEqual([400, 'bad_request']);
  const { token } = await makeWorkspace(agent);
  for (const url of ['', '/minutes']) expect(codeOf(await get(url, token))[0]).toBe(403);
});

test('a caller that closes the connection while the log is read is no fault of the agent', async () => {
  const faults: unknown[] = [];
  const note = (...entry: unknown[]) => void faults.push(entry);
  const other = await openHttpAgent({
    log: { error: note, warn: note, info: () => undefined, debug: () => undefined },
  });
  const { current } = logFiles(other.dataDir);
  mkdirSync(path.dirname(current), { recursive: true });
  const time = new Date().toISOString();
  const line = JSON.stringify({ level: 'info', time, source: 'store', msg: 'x'.repeat(60) });
  appendFileSync(current, `${line}\n`.repeat(60_000));
  const headers = {
    authorization: `Bearer ${other.ownerToken}`,
    'x-correlation-id': 'gone',
  };
  let gone = 0;
  for (const timeoutMs of [2, 5, 10, 20, 30]) {
    const signal = AbortSignal.timeout(timeoutMs);
    await fetch(`${other.url}/v1/agent/logs?q=none`, { headers, signal }).catch(() => (gone += 1));
  }
  // It answers others, and by then has ended the reads of those who are gone.
  expect((await request(other, '/v1/agent/logs?q=none', { token: other.ownerToken })).status).toBe(200);
  expect([gone > 0, faults]).toEqual([true, []]);
  await other.close();
});
