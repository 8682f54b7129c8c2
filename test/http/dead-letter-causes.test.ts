// Dead letters over HTTP, one of each cause: the cause is read, the payload mended, what it will do looked at, and after the replay
// the file is right. The same cases at the command line: test/cli/dead-letters.test.ts.
import { expect, test } from 'vitest';
import { mergePatch } from '../../server/core/merge/json-merge-patch.ts';
import { request } from '../support/api-request.ts';
import { caseContentBytesMax, deadLetterCases, takenPath } from '../support/dead-letter-cases.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

async function start() {
  const agent = await startHttpAgent({ ingest: { envelopeContentBytes: caseContentBytesMax } });
  const { workspaceId } = await makeWorkspace(agent);
  const call = async (method: string, route: string, body?: unknown, headers = {}) =>
    await request(agent, `/v1/workspaces/${workspaceId}${route}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const taken = await call('PUT', `/fs/file?path=${takenPath}`, { content: 'here' }, { 'if-match': '0' });
  expect(taken.status).toBe(202);
  return { agent, call };
}

test.each(deadLetterCases)('a webhook refused as $cause is mended and takes its effect', async (broken) => {
  const { agent, call } = await start();
  const sent = await call('POST', '/webhooks/ingest', { provider: broken.provider, ...broken.payload });
  expect(sent.status).toBe(202);
  const id = sent.json.id as string;
  await agent.ingest.idle();

  const listed = await call('GET', `/sync/dead-letter?cause=${broken.cause}`);
  expect(listed.json.items).toMatchObject([{ envelopeId: id, provider: broken.provider, attemptCount: 1 }]);
  const detail = (await call('GET', `/sync/dead-letter/${id}/detail`)).json;
  expect(detail).toMatchObject({
    cause: broken.cause,
    payload: broken.payload,
    attempts: [{ attempt: 1, cause: broken.cause, at: expect.any(String) }],
  });
  expect((await call('GET', `/sync/dead-letter/${id}`)).json.lastError).toMatch(`${broken.cause}: `);
  expect((await call('POST', `/sync/dead-letter/${id}/preview`)).json).toMatchObject({
    outcome: 'fails',
    cause: broken.cause,
  });

  const payload = mergePatch(detail.payload, broken.patch);
  expect((await call('POST', `/sync/dead-letter/${id}/preview`, { payload })).json).toMatchObject({
    outcome: 'applied',
    effect: 'create',
    path: broken.path,
  });
  expect((await call('POST', `/sync/dead-letter/${id}/replay`, { payload })).status).toBe(202);
  await agent.ingest.idle();
  const { json } = await call('GET', `/fs/file?path=${broken.path}`);
  const bytes = Buffer.from(json.content, json.encoding === 'base64' ? 'base64' : 'utf8');
  expect(bytes.toString('utf8')).toBe(broken.content);
  expect((await call('GET', '/sync/dead-letter')).json.items).toEqual([]);
  // What came in stays as it came.
  expect((await call('GET', `/sync/dead-letter/${id}/detail`)).json).toMatchObject({
    state: 'settled',
    outcome: 'applied',
    payload: broken.payload,
    editedPayload: payload,
  });
});
