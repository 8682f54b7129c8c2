// Dead letters over HTTP of the causes that lie not in the payload but in what was there when it came: a workspace that was
// deleted meanwhile, a store that cannot write, a fault of the agent. Each is made to happen, read, mended and replayed. The same
// at the command line: test/cli/dead-letter-faults.test.ts.
import { renameSync } from 'node:fs';
import path from 'node:path';
import { expect, it, test } from 'vitest';
import type { FailureCause } from '../../server/contract/sync.ts';
import { request } from '../support/api-request.ts';
import {
  type HttpAgent,
  type HttpAgentOptions,
  makeWorkspace,
  startHttpAgent,
} from '../support/http-agent.ts';
import { waitFor } from '../support/wait-for.ts';

/** Larger than what lies in the database itself. */
const largeText = 'x'.repeat(100_000);
const webhook = {
  provider: 'hub',
  event_type: 'file.created',
  path: '/hub/a.md',
  data: { content: largeText },
};
const corrected = { event_type: 'file.created', path: '/hub/a.md', data: { content: `${largeText} mended` } };

/** Takes the folder of large contents away, as a disk that was unmounted would; what comes back puts it there again. */
function withoutBlobFolder({ dataDir }: HttpAgent): () => void {
  const folder = path.join(dataDir, 'blobs/incoming');
  renameSync(folder, `${folder}-away`);
  return () => renameSync(`${folder}-away`, folder);
}

interface Fault {
  readonly cause: FailureCause;
  readonly options: (broken: () => boolean) => HttpAgentOptions;
  /** What fails, and how it is well again. */
  readonly begin: (agent: HttpAgent, call: Call) => Promise<() => Promise<unknown>>;
  readonly attempts: number;
}

type Call = (method: string, route: string, body?: unknown) => Promise<Awaited<ReturnType<typeof request>>>;

const faults: readonly Fault[] = [
  {
    cause: 'workspace_gone',
    options: () => ({ applies: false }),
    attempts: 1,
    async begin(agent, call) {
      expect((await call('DELETE', '')).status).toBe(204);
      await agent.ingest.start();
      return async () => expect((await call('POST', '/restore')).status).toBe(200);
    },
  },
  {
    cause: 'store_unavailable',
    options: () => ({ applies: false, ingest: { envelopeAttempts: 2 } }),
    attempts: 2,
    async begin(agent) {
      const putBack = withoutBlobFolder(agent);
      await agent.ingest.start();
      return async () => putBack();
    },
  },
  {
    cause: 'internal_error',
    options: (broken) => ({
      applies: false,
      ingest: { envelopeAttempts: 2 },
      atIngestPoint(point) {
        if (point === 'apply.prepared' && broken()) throw new Error('a fault');
      },
    }),
    attempts: 2,
    async begin(agent) {
      await agent.ingest.start();
      return () => Promise.resolve();
    },
  },
];

test.each(faults)('a webhook that met $cause is mended and takes its effect', async (fault) => {
  let broken = true;
  const agent = await startHttpAgent(fault.options(() => broken));
  const { workspaceId } = await makeWorkspace(agent);
  const call: Call = (method, route, body) =>
    request(agent, `/v1/workspaces/${workspaceId}${route}`, {
      method,
      token: agent.ownerToken,
      ...(body === undefined ? {} : { body }),
    });
  const sent = await call('POST', '/webhooks/ingest', webhook);
  expect(sent.status).toBe(202);
  const id = sent.json.id as string;
  const end = await fault.begin(agent, call);
  await waitFor('the end of its tries', async () => (await agent.store.ingest.queue()).pending === 0);
  broken = false;
  await end();

  const listed = await call('GET', `/sync/dead-letter?cause=${fault.cause}`);
  expect(listed.json.items).toMatchObject([{ envelopeId: id, attemptCount: fault.attempts }]);
  expect((await call('GET', `/sync/dead-letter/${id}`)).json.lastError).toMatch(`${fault.cause}: `);
  const detail = (await call('GET', `/sync/dead-letter/${id}/detail`)).json;
  expect(detail).toMatchObject({
    cause: fault.cause,
    attempts: Array.from({ length: fault.attempts }, () => ({ cause: fault.cause, at: expect.any(String) })),
  });
  expect((await call('POST', `/sync/dead-letter/${id}/preview`, { payload: corrected })).json).toMatchObject({
    outcome: 'applied',
    effect: 'create',
  });
  expect((await call('POST', `/sync/dead-letter/${id}/replay`, { payload: corrected })).status).toBe(202);
  await agent.ingest.idle();
  const file = await call('GET', '/fs/file?path=/hub/a.md');
  expect(file.json.content).toBe(corrected.data.content);
  expect((await call('GET', '/sync/dead-letter')).json.items).toEqual([]);
});

it('a content that the disk does not take is answered 503, and taken when it does', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const put = () =>
    request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=/a.md`, {
      method: 'PUT',
      token,
      headers: { 'if-match': '0' },
      body: { content: largeText },
    });
  const putBack = withoutBlobFolder(agent);
  expect(await put()).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  putBack();
  expect((await put()).status).toBe(202);
});
