import { expect, it } from 'vitest';
import { PathReader } from '../../renderer/screens/dead-letters/path-reader.ts';
import { MooringClient } from '../../sdk/index.ts';

/** An agent that knows two letters; it notes the bodies of the requests. */
function withAgent(status = 200) {
  const asked: unknown[] = [];
  const answer = {
    matched: 2,
    done: 0,
    envelopeIds: ['env_1', 'env_2'],
    results: [{ envelopeId: 'env_1', path: '/a' }, { envelopeId: 'env_2' }],
    more: false,
  };
  const fetch = async (_: unknown, init?: RequestInit) => {
    asked.push(JSON.parse(String(init?.body)));
    const body = status === 200 ? answer : { code: 'forbidden', message: 'no', correlationId: '' };
    return new Response(JSON.stringify(body), { status });
  };
  const client = new MooringClient({ baseUrl: 'http://agent', token: 't', fetch, retry: { retries: 0 } });
  return { asked, reader: new PathReader(client, 'rw_a') };
}

it('asks once for all that come into sight together, and replays nothing', async () => {
  const { asked, reader } = withAgent();
  const ids = ['env_1', 'env_2', 'env_3', 'env_1'];
  expect(await Promise.all(ids.map((id) => reader.read(id)))).toEqual(['/a', null, null, '/a']);
  expect(await reader.read('env_1')).toBe('/a');
  expect(asked).toEqual([
    { filter: { envelopeIds: ['env_1', 'env_2', 'env_3'] }, dryRun: true },
    { filter: { envelopeIds: ['env_1'] }, dryRun: true },
  ]);
});

it('tells each that waits when the answer is a refusal', async () => {
  const { reader } = withAgent(403);
  const outcomes = await Promise.allSettled([reader.read('env_1'), reader.read('env_2')]);
  expect(outcomes.map((one) => one.status)).toEqual(['rejected', 'rejected']);
});
