import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpAgent, openHttpAgent } from '../support/http-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const committedFile = path.join(root, 'build/openapi.json');

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

let agent: HttpAgent;
let operations: readonly (readonly [name: string, operation: Operation])[];
beforeAll(async () => {
  agent = await openHttpAgent();
  const { paths } = agent.app.openApiDocument() as { paths: Record<string, Record<string, Operation>> };
  operations = Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${url}`, operation] as const),
  );
});
afterAll(() => agent.close());

/** The version is the package's own; tests run the face under another one. */
async function asCommitted(): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const document = agent.app.openApiDocument() as { info: object };
  return `${JSON.stringify({ ...document, info: { ...document.info, version } }, null, 2)}\n`;
}

test('the committed document is what the routes say (npm run openapi > build/openapi.json)', async () => {
  const generated = await asCommitted();
  if (process.env.MOORING_UPDATE_OPENAPI === '1') await writeFile(committedFile, generated);
  expect(await readFile(committedFile, 'utf8')).toBe(generated);
});

test('it is served as it is', async () => {
  const served = await (await fetch(`${agent.url}/v1/openapi.json`)).json();
  expect(served).toEqual(JSON.parse(JSON.stringify(agent.app.openApiDocument())));
});

test('a linter finds nothing wrong in it', async () => {
  const file = path.join(tempFolder(), 'openapi.json');
  await writeFile(file, await asCommitted());
  const { stdout, stderr } = await run(
    process.execPath,
    [
      path.join(root, 'node_modules/@redocly/cli/bin/cli.js'),
      'lint',
      '--format=summary',
      // A WebSocket is answered with 101.
      '--skip-rule=operation-2xx-response',
      file,
    ],
    { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  expect(stdout + stderr).not.toMatch(/error|warning/i);
}, 180_000);

test('every operation has a name of its own, says who may call it and documents its errors', () => {
  const names = operations.map(([, { operationId }]) => operationId);
  expect(new Set(names).size).toBe(operations.length);
  for (const [name, operation] of operations) {
    expect([name, operation.summary, operation.description, operation.tags]).toEqual([
      name,
      expect.any(String),
      expect.stringMatching(/Scope|[Oo]wner|UI token|Needs no token|Answers/),
      [expect.any(String)],
    ]);
    const closed = (operation.security ?? []).length > 0;
    const statuses = Object.keys(operation.responses);
    expect([name, closed && !(statuses.includes('401') && statuses.includes('403'))]).toEqual([name, false]);
    for (const [status, response] of Object.entries(operation.responses)) {
      expect([name, status, response.description]).not.toEqual([name, status, 'Default Response']);
    }
  }
});

test('what any request may meet is documented everywhere: a foreign Origin, and where a body is read one that is too long', () => {
  const lacking = operations.flatMap(([name, { responses }]) => {
    const takesBody = !/^(get|head) /.test(name);
    return ['403', ...(takesBody ? ['413'] : [])]
      .filter((status) => responses[status] === undefined)
      .map((status) => `${name}: ${status}`);
  });
  expect(lacking).toEqual([]);
});

test('it covers the filesystem of the specification', () => {
  const known = operations.map(([name]) => name);
  for (const name of [
    'get /health',
    'get /v1/workspaces/{workspaceId}/fs/tree',
    'get /v1/workspaces/{workspaceId}/fs/file',
    'put /v1/workspaces/{workspaceId}/fs/file',
    'delete /v1/workspaces/{workspaceId}/fs/file',
    'post /v1/workspaces/{workspaceId}/fs/bulk',
    'post /v1/workspaces/{workspaceId}/fs/bulk-read',
    'get /v1/workspaces/{workspaceId}/fs/events',
    'get /v1/workspaces/{workspaceId}/fs/query',
    'get /v1/workspaces/{workspaceId}/fs/export',
    'get /v1/workspaces/{workspaceId}/fs/ws',
    'get /v1/workspaces/{workspaceId}/ops',
    'get /v1/workspaces/{workspaceId}/ops/{opId}',
    'post /v1/workspaces/{workspaceId}/ops/{opId}/replay',
    'get /v1/workspaces/{workspaceId}/writeback/pending',
    'post /v1/workspaces/{workspaceId}/writeback/{itemId}/ack',
  ]) {
    expect(known).toContain(name);
  }
});
