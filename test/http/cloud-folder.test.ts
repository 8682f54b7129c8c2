// A folder that another sync program manages, on the wire: refused with a code of its own, taken when that is accepted.
import { expect, test } from 'vitest';
import { CloudFolderError } from '../../server/mirror/manager/port.ts';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';

test('a folder of another sync program is a 409 that names it, unless it is accepted', async () => {
  const asked: boolean[] = [];
  const folder = { service: 'OneDrive', path: '/home/ann/OneDrive', relation: 'inside' } as const;
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      add: (_workspaceId, dir, more) => {
        asked.push(more?.acceptCloudFolder === true);
        return Promise.reject(new CloudFolderError(dir, folder));
      },
    },
  });
  const { workspaceId } = await makeWorkspace(agent);
  const add = async (more: object) =>
    await request(agent, `/v1/workspaces/${workspaceId}/mirrors`, {
      method: 'POST',
      body: { dir: '/home/ann/OneDrive/a', ...more },
    });
  const refused = await add({});
  expect(errorOf(refused).slice(0, 2)).toEqual([409, 'cloud_folder']);
  expect(refused.json).toMatchObject({
    message: expect.stringContaining('/home/ann/OneDrive/a is inside the OneDrive folder'),
    service: 'OneDrive',
    folder: '/home/ann/OneDrive',
    relation: 'inside',
  });
  await add({ acceptCloudFolder: true });
  expect(asked).toEqual([false, true]);
  expect(codeOf(await add({ acceptCloudFolder: 'maybe' }))).toEqual([400, 'bad_request']);
});
