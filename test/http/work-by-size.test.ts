// What a read route asks of the database must not grow with the number of files, only with its answer. The same requests are sent to
// a small workspace and to one that is thirty times as large; the statements that they ran are compared, not the time of the requests.
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { WriteFile } from '../../server/core/change/change.ts';
import { databaseFileName, openForWriting } from '../../server/store/database/sqlite.ts';
import { SqliteReadStatements } from '../../server/store/database/sqlite-statements.ts';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

const smallFiles = 300;
const timesLarger = 30;
const filesPerDirectory = 100;
/** Every so many files has the property and the comment that are searched for: the same number of matches in both sizes. */
const marked = 10;
const openOperations = 5;
/** A scan of the larger one takes some thirty times as long; a look-up in an index at most twice. */
const timesSlowerMax = 4;
/** Less than a scan of the larger one takes: below it a ratio is noise. */
const noiseMs = 0.15;
const repetitions = 25;

interface Ran {
  readonly statements: SqliteReadStatements;
  readonly sql: string;
  readonly values: readonly unknown[];
}

interface Sized {
  readonly agent: HttpAgent;
  readonly workspaceId: string;
  readonly token: string;
  readonly forkId: string;
  readonly runId: string;
  readonly opId: string;
  readonly eventId: string;
}

/** Answers everything that is below its path, so it costs as much. */
const answersEverything = ['GET /v1/workspaces/{workspaceId}/fs/export'];
/**
 * No answer of this thread's store: sockets, jobs, mirrors, folders of runs (test/bench/mirror-size.bench.ts), the search (test/bench/search.bench.ts), and what
 * this workspace does not have.
 */
const notAsked =
  /\/fs\/ws$|\/fs\/search$|\/jobs\/|\/mirrors\/|\/folder$|\/folder\/ignored$|conflictId|dead-letter\/\{|\/writeback\/\{|\/preview$|\/users$|\/providers\/\{provider\}$/;

const all = SqliteReadStatements.prototype.all;
let sizes: readonly [Sized, Sized];

beforeAll(async () => {
  sizes = [await openSized(smallFiles), await openSized(smallFiles * timesLarger)];
}, 120_000);
afterAll(async () => {
  for (const { agent } of sizes ?? []) await agent.close();
});

async function openSized(files: number): Promise<Sized> {
  const agent = await openHttpAgent({ externalWriteback: 'all' });
  const { workspaceId, token } = await makeWorkspace(agent);
  const workspace = `/v1/workspaces/${workspaceId}`;
  const content = await agent.store.content.stage(Buffer.from('a file'));
  for (let from = 0; from < files; from += filesPerDirectory)
    await writeDirectory(agent, workspaceId, content, from);
  settleOperations(agent);
  const fork = await request(agent, `${workspace}/forks`, { method: 'POST', body: { proposalId: 'p1' } });
  const run = await request(agent, `${workspace}/runs`, { method: 'POST', body: { name: 'r1' } });
  const operations = await request(agent, `${workspace}/ops?limit=1`);
  const events = await request(agent, `${workspace}/fs/events?limit=1`);
  return {
    agent,
    workspaceId,
    token,
    forkId: fork.json.forkId,
    runId: run.json.runId,
    opId: operations.json.items[0].opId,
    eventId: events.json.events[0].eventId,
  };
}

async function writeDirectory(
  agent: HttpAgent,
  workspaceId: string,
  content: WriteFile['content'],
  from: number,
): Promise<void> {
  const changes = Array.from({ length: filesPerDirectory }, (_, k): WriteFile => {
    const isMarked = from === 0 && k < marked;
    return {
      kind: 'write_file',
      path: `/all/d${from / filesPerDirectory}/f${from + k}.txt`,
      precondition: { kind: 'any' },
      content,
      defaultContentType: 'text/plain',
      encoding: 'utf-8',
      semantics: { properties: { state: isMarked ? 'open' : 'closed' }, comments: [isMarked ? 'c1' : 'c2'] },
    };
  });
  await agent.store.content.change({
    kind: 'change_files',
    workspaceId,
    changes,
    atomic: false,
    actor: { kind: 'token', name: 'tester', tokenId: 'tok_1' },
    origin: 'agent_write',
    access: null,
    correlationId: 'corr-test',
    makesOperations: true,
  });
}

/** All but the newest are finished, as in a workspace that has been used for long. */
function settleOperations(agent: HttpAgent): void {
  const writing = openForWriting(path.join(agent.dataDir, databaseFileName));
  writing.run(
    'UPDATE operations SET status = 3, completed_at = 1 WHERE number <= (SELECT max(number) FROM operations) - ?',
    openOperations,
  );
  writing.close();
}

function routesOf({ agent, workspaceId, forkId, runId, opId, eventId }: Sized): readonly string[] {
  const { paths } = agent.app.openApiDocument() as { paths: Record<string, Record<string, unknown>> };
  const workspace = `/v1/workspaces/${workspaceId}`;
  const file = '/all/d0/f0.txt';
  const at = new Date().toISOString();
  const documented = Object.entries(paths)
    .filter(([pattern, methods]) => 'get' in methods && !notAsked.test(pattern))
    .filter(([pattern]) => !answersEverything.includes(`GET ${pattern}`))
    .map(([pattern]) =>
      pattern
        .replace('{workspaceId}', workspaceId)
        .replace('{forkId}', forkId)
        .replace('{runId}', runId)
        .replace('{opId}', opId),
    )
    .map((route) =>
      /\/fs\/(file|diff|history)$|\/explain$/.test(route)
        ? `${route}?path=${file}`
        : route.startsWith('/v1/folders')
          ? `${route}?path=/none`
          : /\/tree$/.test(route)
            ? `${route}?path=/all/d0&at=${at}`
            : route.endsWith('/fs/changes/resource')
              ? `${route}?eventId=${eventId}`
              : route.endsWith('/fs/changes')
                ? `${route}?since=${at}&limit=50`
                : `${route}?limit=50`,
    );
  return [
    ...documented,
    `${workspace}/fs/tree?path=/&depth=1`,
    `${workspace}/fs/tree?path=/all/d0&forkId=${forkId}`,
    `${workspace}/fs/tree?path=/&depth=1&forkId=${forkId}`,
    `${workspace}/fs/file?path=${file}&forkId=${forkId}`,
    `${workspace}/fs/history?path=/&below=true&limit=50`,
    `${workspace}/fs/query?path=/all/d0&limit=50`,
    `${workspace}/fs/query?path=/&property.state=open&limit=50`,
    `${workspace}/fs/query?path=/&comment=c1&limit=50`,
    `${workspace}/fs/query?path=/&provider=all&limit=50`,
    `${workspace}/fs/query?path=/&permission=scope:none&limit=50`,
    `${workspace}/fs/events?limit=50&direction=desc`,
    `${workspace}/ops?status=pending&limit=50`,
    `${workspace}/ops?status=dead_lettered&limit=50`,
    `${workspace}/ops?action=file_upsert&limit=50`,
    `${workspace}/ops?status=pending&provider=none&limit=50`,
    `${workspace}/ops?provider=none&limit=50`,
    `${workspace}/ops?action=file_delete&limit=50`,
    `${workspace}/ops?status=succeeded&provider=none&limit=50`,
    `${workspace}/ops?status=succeeded&action=file_delete&limit=50`,
    `${workspace}/fs/query?path=/&relation=none&limit=50`,
  ];
}

/** What a request runs. The response cache must not answer it: each request is the first of its kind. */
async function statementsOf(
  { agent, token }: Sized,
  route: string,
): Promise<{ readonly status: number; readonly ran: readonly Ran[]; readonly rows: number }> {
  const ran: Ran[] = [];
  let rows = 0;
  const { get, iterate } = SqliteReadStatements.prototype;
  SqliteReadStatements.prototype.get = function (sql: string, ...values: readonly unknown[]) {
    ran.push({ statements: this, sql, values });
    return get.call(this, sql, ...values) as never;
  };
  SqliteReadStatements.prototype.all = function (sql: string, ...values: readonly unknown[]) {
    ran.push({ statements: this, sql, values });
    const found = all.call(this, sql, ...values);
    rows += found.length;
    return found as never;
  };
  try {
    const isOfWorkspace = route.includes('/workspaces/');
    const ofOwner = await request(agent, route);
    const answer = ofOwner.status === 403 && isOfWorkspace ? await request(agent, route, { token }) : ofOwner;
    return { status: answer.status, ran, rows };
  } finally {
    Object.assign(SqliteReadStatements.prototype, { get, all, iterate });
  }
}

function fastestMs({ statements, sql, values }: Ran): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < repetitions; k += 1) {
    const start = performance.now();
    all.call(statements, sql, ...values);
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

/** By text: how often it ran and what it costs. */
function costs(ran: readonly Ran[]): ReadonlyMap<string, number> {
  const cost = new Map<string, number>();
  for (const one of ran.filter(({ sql }) => sql.startsWith('SELECT') || sql.startsWith('WITH')))
    cost.set(one.sql, (cost.get(one.sql) ?? 0) + fastestMs(one));
  return cost;
}

test('no read route asks more of the database beside more files', async () => {
  const [small, large] = sizes;
  const grown: string[] = [];
  const refused: string[] = [];
  const routes = routesOf(small);
  const sameRoutes = routesOf(large);
  for (const [index, route] of routes.entries()) {
    const before = await statementsOf(small, route);
    const after = await statementsOf(large, sameRoutes[index] as string);
    if (before.status !== 200 || after.status !== 200) refused.push(`${route}: ${after.status}`);
    if (after.rows > before.rows * 2 + 20) grown.push(`${route}: ${before.rows} rows, then ${after.rows}`);
    const cost = costs(before.ran);
    for (const [sql, ms] of costs(after.ran)) {
      const smallMs = cost.get(sql) ?? 0;
      if (ms > noiseMs && ms > smallMs * timesSlowerMax)
        grown.push(`${route}: ${smallMs.toFixed(3)} ms, then ${ms.toFixed(3)} ms: ${sql}`);
    }
  }
  expect({ refused, grown }).toEqual({ refused: [], grown: [] });
}, 180_000);

test('a page of the changes of a fork costs what it answers, not what is staged', async () => {
  const [{ agent, workspaceId, forkId }] = sizes;
  const workspace = `/v1/workspaces/${workspaceId}`;
  const body = {
    files: Array.from({ length: 900 }, (_, n) => ({ path: `/staged/${n}.md`, content: `# ${n}\n` })),
  };
  const written = await request(agent, `${workspace}/fs/bulk?forkId=${forkId}`, { method: 'POST', body });
  expect(written.json).toMatchObject({ errors: [] });
  const gets = vi.spyOn(SqliteReadStatements.prototype, 'get');
  const page = await request(agent, `${workspace}/forks/${forkId}/changes?limit=10`);
  const asked = gets.mock.calls.length;
  gets.mockRestore();
  expect(page.json.changes).toHaveLength(10);
  expect(asked).toBeLessThan(150);
});
