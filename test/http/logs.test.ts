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
