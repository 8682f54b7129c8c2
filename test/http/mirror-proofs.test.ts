// The proof meter on the wire: what is known, and a proof that is asked for.
import { expect, test } from 'vitest';
import type { MirrorProof } from '../../server/contract/proof.ts';
import type { Mirror } from '../../server/contract/workspaces.ts';
import { codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';

const at = '2026-11-20T12:31:07.000Z';
const proof: MirrorProof = {
  state: 'not-equal',
  last: {
    provedAt: at,
    root: 'ab',
    files: 3,
    bytes: 9,
    leftOut: 1,
    hashedFiles: 2,
    hashedBytes: 6,
  },
  beforeRestart: null,
  alarm: { since: at, files: 1, paths: ['/a'] },
  rehashedAt: null,
};
const mirror = { mirrorId: 'mir_1', proof } as Mirror;

async function withProof(timeouts: number[] = []): Promise<{ agent: HttpAgent; url: string }> {
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      list: () => Promise.resolve([mirror]),
      prove: (_workspaceId, mirrorId, { timeoutMs }) => {
        timeouts.push(timeoutMs);
        return Promise.resolve(mirrorId === 'mir_1' ? { outcome: 'not_equal', mirror } : null);
      },
    },
  });
  const { workspaceId } = await makeWorkspace(agent);
  return { agent, url: `/v1/workspaces/${workspaceId}/mirrors` };
}

test('the meter is read as it stands', async () => {
  const { agent, url } = await withProof();
  expect((await request(agent, `${url}/mir_1/proof`)).json).toEqual(proof);
  expect(codeOf(await request(agent, `${url}/mir_2/proof`))).toEqual([404, 'not_found']);
});

test('a proof that is asked for answers what it came to', async () => {
  const timeouts: number[] = [];
  const { agent, url } = await withProof(timeouts);
  const prove = async (body?: unknown, id = 'mir_1') =>
    await request(agent, `${url}/${id}/proof`, { method: 'POST', ...(body === undefined ? {} : { body }) });
  expect((await prove()).json).toEqual({ outcome: 'not-equal', mirrorId: 'mir_1', proof });
  await prove({ timeoutMs: 5000 });
  expect(timeouts).toEqual([600_000, 5000]);
  for (const body of [{ timeoutMs: 0 }, { timeoutMs: 3_600_001 }, { timeoutMs: 'soon' }, []]) {
    expect(codeOf(await prove(body))).toEqual([400, 'bad_request']);
  }
  expect(codeOf(await prove({}, 'mir_2'))).toEqual([404, 'not_found']);
});

test('it takes the owner, or a token of the UI', async () => {
  const { agent, url } = await withProof();
  expect(codeOf(await request(agent, `${url}/mir_1/proof`, { token: null }))).toEqual([401, 'unauthorized']);
});
