// A read that begins after a change was acknowledged shows it, although responses are kept: files, trees, events, and the rules for
// who may read. With the change counter taken away the same test finds old answers.
import { expect, test } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { scaled } from '../support/scale.ts';

const writers = 3;
const readers = 6;
const rounds = scaled(60, 2_000);

/** Reads that showed less than what had been acknowledged before they began. */
async function oldAnswers(agent: HttpAgent): Promise<string[]> {
  const { workspaceId, token } = await makeWorkspace(agent);
  const base = `/v1/workspaces/${workspaceId}/fs`;
  const acknowledged = Array.from({ length: writers }, () => 0);
  const old: string[] = [];
  let writing = writers;
  const revisionOf = (text: string) => Number(text.replace('rev_', ''));
  const write = async (n: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const answer = await request(agent, `${base}/file?path=/d/${n}.txt`, {
        method: 'PUT',
        token,
        headers: { 'if-match': '*' },
        body: { content: `${n} ${round}` },
      });
      expect(answer.status).toBe(202);
      acknowledged[n] = revisionOf(answer.json.targetRevision);
    }
    writing -= 1;
  };
  const check = (what: string, seen: number, floor: number) => {
    if (seen < floor) old.push(`${what}: rev_${seen} after rev_${floor}`);
  };
  const read = async (reader: number) => {
    for (let turn = reader; writing > 0; turn += 1) {
      const n = turn % writers;
      const before = [...acknowledged];
      const floor = before[n] ?? 0;
      if (floor === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      const kind = Math.floor(turn / writers) % 3;
      if (kind === 0) {
        const answer = await request(agent, `${base}/file?path=/d/${n}.txt`, { token });
        check('file', revisionOf(answer.json.revision), floor);
      } else if (kind === 1) {
        const { entries } = (await request(agent, `${base}/tree?path=/d`, { token })).json;
        const entry = entries.find(({ path }: { path: string }) => path === `/d/${n}.txt`);
        check('tree', revisionOf(entry?.revision ?? 'rev_0'), floor);
      } else {
        const { events } = (await request(agent, `${base}/events?limit=1000`, { token })).json;
        const seen = events
          .filter(({ path }: { path: string }) => path === `/d/${n}.txt`)
          .map(({ revision }: { revision: string }) => revisionOf(revision));
        check('events', Math.max(0, ...seen), floor);
      }
    }
  };
  await Promise.all([
    ...Array.from({ length: writers }, (_, n) => write(n)),
    ...Array.from({ length: readers }, (_, reader) => read(reader)),
  ]);
  return old;
}

test('a read after an acknowledged change shows it', async () => {
  expect(await oldAnswers(await startHttpAgent())).toEqual([]);
}, 600_000);

test('without the change counter old answers are found', async () => {
  const agent = await startHttpAgent();
  Object.assign(agent.store.changes, { of: () => 2 });
  const old = await oldAnswers(agent);
  expect(old.some((line) => line.startsWith('file'))).toBe(true);
  expect(old.some((line) => line.startsWith('tree'))).toBe(true);
}, 600_000);

test('a kept answer ends with an access rule and with a delete', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const base = `/v1/workspaces/${workspaceId}/fs`;
  const file = (path: string) => `${base}/file?path=${path}`;
  const put = async (path: string, body: object) =>
    (
      await request(agent, file(path), {
        method: 'PUT',
        token: agent.ownerToken,
        headers: { 'if-match': '*' },
        body,
      })
    ).status;
  const statusOf = async (headers = {}) =>
    (await request(agent, file('/d/a.txt'), { token, headers })).status;
  expect(await put('/d/a.txt', { content: 'a' })).toBe(202);
  expect([await statusOf(), await statusOf()]).toEqual([200, 200]);
  expect(await statusOf({ 'if-none-match': '*' })).toBe(304);
  expect(
    await put('/d/.relayfile.acl', {
      content: 'x',
      semantics: { permissions: ['deny:public', 'allow:agent:nobody'] },
    }),
  ).toBe(202);
  expect([await statusOf(), await statusOf()]).toEqual([403, 403]);
  expect((await request(agent, `${base}/tree?path=/d`, { token })).json.entries).toEqual([]);
  const remove = (path: string) =>
    request(agent, file(path), { method: 'DELETE', token: agent.ownerToken, headers: { 'if-match': '*' } });
  expect((await remove('/d/.relayfile.acl')).status).toBe(202);
  expect([await statusOf(), await statusOf()]).toEqual([200, 200]);
  expect((await remove('/d/a.txt')).status).toBe(202);
  expect(await statusOf()).toBe(404);
});
