// No route that reads asks the database for more than its answer: the plan of each statement is looked at, so that nothing depends on
// how quick the machine is. Tables that grow with files, changes or deliveries are never scanned. The routes of the administrator
// count over all workspaces, and are not among them.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { databaseFileName } from '../../server/store/database/sqlite.ts';
import { SqliteReadStatements } from '../../server/store/database/sqlite-statements.ts';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

const growing = [
  'entries',
  'labels',
  'access_rules',
  'history',
  'events',
  'blobs',
  'operations',
  'envelopes',
  'mirror_base',
  'identities',
  'fork_paths',
  'webhook_deliveries',
  'subscription_deliveries',
];

afterEach(() => vi.restoreAllMocks());

interface Plan {
  readonly sql: string;
  readonly steps: readonly string[];
}

function planOf(database: Database.Database, sql: string): readonly string[] {
  const values = Array(sql.split('?').length - 1).fill(null);
  const rows = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  return rows.map(({ detail }) => detail);
}

/** Steps that look at every row of a table that grows, or at every operation of a workspace for the few unfinished ones. */
function costly({ sql, steps }: Plan): readonly string[] {
  return steps.filter(
    (step) =>
      growing.some((table) => new RegExp(`^SCAN ${table}\\b`).test(step)) ||
      (sql.includes('status <> 3') && step.startsWith('SEARCH operations USING PRIMARY KEY')),
  );
}

async function statementsOf(agent: HttpAgent, ask: () => Promise<void>): Promise<readonly Plan[]> {
  const seen = new Set<string>();
  for (const name of ['get', 'all', 'iterate'] as const) {
    const original = SqliteReadStatements.prototype[name];
    vi.spyOn(SqliteReadStatements.prototype, name).mockImplementation(function (
      this: SqliteReadStatements,
      sql: string,
      ...values: readonly unknown[]
    ) {
      seen.add(sql);
      return original.call(this, sql, ...values) as never;
    });
  }
  await ask();
  vi.restoreAllMocks();
  const database = new Database(path.join(agent.dataDir, databaseFileName), { readonly: true });
  try {
    return [...seen]
      .filter((sql) => /^\s*(SELECT|WITH)\b/.test(sql))
      .map((sql) => ({ sql, steps: planOf(database, sql) }));
  } finally {
    database.close();
  }
}

test('no statement of a route that reads scans a table that grows', async () => {
  const agent = await startHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  const workspace = `/v1/workspaces/${workspaceId}`;
  const files = Array.from({ length: 50 }, (_, n) => ({ path: `/d${n % 5}/f${n}.txt`, content: `${n}` }));
  const written = await request(agent, `${workspace}/fs/bulk`, { method: 'POST', body: { files } });
  expect(written.status).toBe(202);
  const routes = [
    '/v1/workspaces',
    '/v1/agent/status',
    ...[
      '/fs/tree?path=/&depth=1',
      '/fs/tree?path=/d1',
      '/fs/file?path=/d1/f1.txt',
      '/fs/query?path=/d1',
      '/fs/query?path=/&provider=d1',
      '/fs/query?path=/&relation=x',
      '/fs/query?path=/&comment=x',
      '/fs/query?path=/&property.a=b',
      '/fs/history?path=/d1/f1.txt',
      '/fs/history?path=/d1&below=true',
      '/fs/history/tree?path=/&depth=1&at=2020-01-01T00:00:00Z',
      '/fs/events?limit=100',
      '/fs/events?direction=desc&limit=100',
      '/fs/events?provider=d1&limit=100',
      '/fs/changes?since=2020-01-01T00:00:00Z',
      '/sync/status',
      '/sync/ingress',
      '/sync/dead-letter',
      '/ops',
      '/ops?status=pending',
      '/ops?status=dead_lettered&provider=d1',
      '/writeback/pending',
      '/webhooks',
      '/webhooks/dlq',
      '/subscriptions',
      '/forks',
      '/providers',
      '/mirrors',
      '/conflicts',
      '/tokens',
      '/explain?path=/d1/f1.txt',
    ].map((route) => `${workspace}${route}`),
  ];
  const answers: (readonly [string, number])[] = [];
  const plans = await statementsOf(agent, async () => {
    for (const route of routes) answers.push([route, (await request(agent, route)).status]);
  });
  expect(answers.filter(([, status]) => status >= 400)).toEqual([]);
  expect(plans.length).toBeGreaterThan(30);
  expect(plans.filter((plan) => costly(plan).length > 0)).toEqual([]);
});
