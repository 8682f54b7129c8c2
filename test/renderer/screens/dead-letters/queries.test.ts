import { expect, it } from 'vitest';
import { PathReader } from '../../../../renderer/screens/dead-letters/queries.ts';
import { MooringClient } from '../../../../sdk/index.ts';

/** An agent with two dead letters; it records the request bodies. */
function withAgent(status = 200) {
  const requests: unknown[] = [];
  const answer = {
    matched: 2,
    done: 0,
    envelopeIds: ['env_1', 'env_2'],
    results: [{ envelopeId: 'env_1', path: '/a' }, { envelopeId: 'env_2' }],
    more: false,
  };
  const fetch = async (_: unknown, init?: RequestInit) => {
    requests.push(JSON.parse(String(init?.body)));
    const body = status === 200 ? answer : { code: 'forbidden', message: 'no', correlationId: '' };
    return new Response(JSON.stringify(body), { status });
  };
  const client = new MooringClient({ baseUrl: 'http://agent', token: 't', fetch, retry: { retries: 0 } });
  return { requests, reader: new PathReader(client, 'rw_a') };
}

it('sends one request for all rows that become visible together, and replays nothing', async () => {
  const { requests, reader } = withAgent();
  const ids = ['env_1', 'env_2', 'env_3', 'env_1'];
  expect(await Promise.all(ids.map((id) => reader.read(id)))).toEqual(['/a', null, null, '/a']);
  expect(await reader.read('env_1')).toBe('/a');
  expect(requests).toEqual([
    { filter: { envelopeIds: ['env_1', 'env_2', 'env_3'] }, dryRun: true },
    { filter: { envelopeIds: ['env_1'] }, dryRun: true },
  ]);
});

it('rejects every pending read if the request fails', async () => {
  const { reader } = withAgent(403);
  const outcomes = await Promise.allSettled([reader.read('env_1'), reader.read('env_2')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
