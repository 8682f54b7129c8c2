// The specification's methods on the client send the same request as the method of their group.
import { expect, it } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;

const names: readonly (readonly [name: string, grouped: string, args: readonly unknown[]])[] = [
  ['listTree', 'files.tree', ['rw_x', { depth: 2 }]],
  ['readFile', 'files.read', ['rw_x', '/a', { revision: 'rev_1' }]],
  ['writeFile', 'files.write', ['rw_x', '/a', 'x', { ifMatch: '0' }]],
  ['bulkWrite', 'files.writeMany', ['rw_x', [{ path: '/a', content: 'x' }]]],
  ['deleteFile', 'files.delete', ['rw_x', '/a', { ifMatch: 'rev_1' }]],
  ['queryFiles', 'files.query', ['rw_x', { relation: 'r' }]],
];

const sent: unknown[] = [];
const client = new MooringClient({
  baseUrl: 'http://agent',
  token: 't',
  correlationId: 'c',
  fetch: (input, { method, body, headers } = {}) => {
    sent.push([method, String(input), body, Object.fromEntries(new Headers(headers))]);
    return Promise.resolve(Response.json({ nextCursor: null, items: [], entries: [], events: [] }));
  },
});

async function requestsOf(name: string, args: readonly unknown[]): Promise<readonly unknown[]> {
  const [method = '', group] = name.split('.').reverse();
  const owner = group === undefined ? client : (Reflect.get(client, group) as object);
  await (Reflect.get(owner, method) as Call).apply(owner, [...args]);
  return sent.splice(0);
}

it.each(names)('%s is %s', async (name, grouped, args) => {
  const requests = await requestsOf(grouped, args);
  expect(requests).toHaveLength(1);
  expect(await requestsOf(name, args)).toEqual(requests);
});

it('covers every method on the client', () => {
  const methods = Object.entries(client).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  );
  expect(methods).toEqual([...names.map(([name]) => name), 'search', 'subscribe']);
});
