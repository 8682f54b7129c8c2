import { expect, test } from 'vitest';
import { request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

const files = 2_500;
const filesPerRequest = 500;

test('the sync status names the first segment of every file, and reads them from the store in parts', async () => {
  const agent = await startHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  const workspace = `/v1/workspaces/${workspaceId}`;
  const names = Array.from({ length: files }, (_, n) => `f${String(n).padStart(5, '0')}.txt`);
  for (let from = 0; from < files; from += filesPerRequest) {
    const part = names.slice(from, from + filesPerRequest);
    const body = { files: part.map((name) => ({ path: `/${name}`, content: '' })) };
    expect((await request(agent, `${workspace}/fs/bulk`, { method: 'POST', body })).status).toBe(202);
  }
  const { fileProviders } = agent.store.ingest;
  const read: number[] = [];
  agent.store.ingest.fileProviders = async (...query) => {
    const page = await fileProviders(...query);
    read.push(page.length);
    return page;
  };
  const { json } = await request(agent, `${workspace}/sync/status`);
  expect(json.providers.map((one: { readonly provider: string }) => one.provider)).toEqual(names);
  expect(read).toEqual([1_000, 1_000, 500]);
});
