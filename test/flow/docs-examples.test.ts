// The examples of the documentation are run as they are printed: each curl command in a shell, each TypeScript call against an agent. An
// example may be answered that its thing does not exist or is in another state; it may not be malformed.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { curlExample, variableOf } from '../../build/docs-site/curl.ts';
import { type Document, type Endpoint, endpointsOf } from '../../build/docs-site/openapi.ts';
import { type Names, sdkExamples } from '../../build/docs-site/sdk-examples.ts';
import openApi from '../../build/openapi.json' with { type: 'json' };
import { MooringClient, MooringError } from '../../sdk/index.ts';
import { startAgent } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const document = openApi as unknown as Document;
const endpoints = endpointsOf(document);
/** They end what the others need. */
const last = [
  'deleteWorkspace',
  'restoreWorkspace',
  'removeMirror',
  'discardRun',
  'discardFork',
  'commitRun',
  'commitFork',
];
/** Codes of a well-formed request. */
const acceptable = new Set([
  'not_found',
  'workspace_not_found',
  'invalid_state',
  'revision_conflict',
  'fork_expired',
  'run_conflict',
  'conflict',
  'unavailable',
  'rate_limited',
  'queue_full',
  'unauthorized',
  'merge_conflict',
  // Another example mirrors the folder.
  'invalid_local_dir',
]);
/** What the owner cannot do, but a browser can. */
const ofBrowsers = ['renewSignIn'];

async function scene() {
  const agent = await startAgent({ args: ['--import-host', 'codeload.github.com'] });
  const client = ownerClient(agent);
  const { workspaceId } = await client.workspaces.create({ name: 'examples' });
  const written = await client.files.write(workspaceId, '/docs/plan.md', '# Plan\n');
  await client.files.write(workspaceId, '/docs/old.md', 'old\n');
  const { forkId } = await client.forks.create(workspaceId, { proposalId: 'first' });
  const { runId } = await client.runs.create(workspaceId);
  const dir = tempFolder('mooring-docs-mirror');
  const { mirrorId } = await client.mirrors.add(workspaceId, dir);
  const { accessToken } = await client.tokens.create(workspaceId, { agent: 'other' });
  await client.providers.add(workspaceId, { provider: 'github', kind: 'external' });
  const { events } = await client.events.page(workspaceId);
  const { version } = await client.agent.settings();
  const names: Omit<Names, 'client'> = {
    workspaceId,
    forkId,
    runId,
    mirrorId,
    conflictId: 'con_none',
    remoteId: 'rem_none',
    opId: 'op_1',
    envelopeId: 'env_none',
    tokenId: accessToken.tokenId,
    subscriptionId: 'whs_none',
    deliveryId: 'del_none',
    jobId: 'job_none',
    eventId: events[0]?.eventId ?? '',
    revision: written.targetRevision,
    dir: path.join(tempFolder('mooring-docs-dir'), 'new'),
    archive: new Blob([gzipSync('')]),
    refreshToken: 'none',
    sessionId: 'ses_none',
    version,
  };
  return { agent, client, names };
}

const ordered = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] => [
  ...all.filter(({ id }) => !last.includes(id)),
  ...last.flatMap((id) => all.filter((one) => one.id === id)),
];

it('every TypeScript example calls its endpoint with a well-formed request', async () => {
  const { agent, names } = await scene();
  const faults: string[] = [];
  for (const { id, call } of ordered(Object.entries(sdkExamples).map(([id, call]) => ({ id, call })))) {
    const asked: string[] = [];
    const client = new MooringClient({
      baseUrl: agent.url,
      token: agent.ownerToken,
      retry: { retries: 0 },
      fetch: async (input, init) => {
        asked.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`);
        return await fetch(input, init);
      },
    });
    const outcome = await Promise.resolve(call({ ...names, client })).then(
      () => 'ok',
      (error: unknown) => (error instanceof MooringError ? error.code : String(error)),
    );
    const endpoint = endpoints.find(({ operation }) => operation.operationId === id);
    if (endpoint === undefined || !asked.some((request) => patternOf(endpoint).test(request)))
      faults.push(`${id} asked for ${asked.join()}`);
    if (outcome !== 'ok' && !acceptable.has(outcome)) faults.push(`${id}: ${outcome}`);
  }
  expect(faults).toEqual([]);
});

it('every curl example is a well-formed request', async () => {
  const { agent, names } = await scene();
  const folder = tempFolder('mooring-docs-curl');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'FILE'), gzipSync(''));
  const variables = Object.fromEntries(
    Object.entries({ ...names, provider: 'github', itemId: names.opId }).map(([name, value]) => [
      variableOf(name).slice(1),
      String(value),
    ]),
  );
  const env = { ...process.env, ...variables, API: agent.url, TOKEN: agent.ownerToken };
  const faults: string[] = [];
  let ok = 0;
  // A WebSocket is opened by other programs.
  const runnable = endpoints.filter(({ operation }) => operation.operationId !== 'streamEvents');
  for (const { id, endpoint } of ordered(
    runnable.map((endpoint) => ({ id: endpoint.operation.operationId, endpoint })),
  )) {
    // Folders of the examples are those of the test.
    const command = curlExample(document, endpoint).replaceAll(
      /"dir":"[^"]*"/g,
      `"dir":"${path.join(folder, id)}"`,
    );
    const script = command.replace('curl ', "curl -s -m 20 -o answer -w '%{http_code}' ");
    const { stdout } = await run('bash', ['-c', `${script}; echo; head -c 2000 answer`], {
      cwd: folder,
      env,
    });
    const [status = '', ...body] = stdout.split('\n');
    const code = /"code":"([a-z_]+)"/.exec(body.join('\n'))?.[1] ?? '';
    if (/^[23]/.test(status)) ok += 1;
    else if (ofBrowsers.includes(id) && code === 'forbidden') continue;
    else if (!acceptable.has(code) || body.join('').includes('route not found'))
      faults.push(`${id}: ${status} ${body.join(' ').slice(0, 200)} of ${command}`);
  }
  expect(faults).toEqual([]);
  expect(ok).toBeGreaterThan(80);
});

/** `GET /v1/workspaces/…/fs/tree` */
function patternOf({ method, path: route }: Endpoint): RegExp {
  const segments = route.replaceAll(/[.]/g, '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${method.toUpperCase()} ${segments}$`);
}
