// The SDK against the OpenAPI document: every operation has a method or a listed reason, and every method requests an operation. Each
// method is called once with a recording fetch.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { waitFor } from '../support/wait-for.ts';

const operationsWithoutMethod: Readonly<Record<string, string>> = {
  getReadiness: 'for load balancers, which read the status alone',
  ingestEnvelope: 'for services that sign with the internal secret, which no client holds',
  adminReplayEnvelopePlural: 'another spelling of a call that has its method',
  replayAdminOperationPlural: 'another spelling of a call that has its method',
};

/** Arguments of methods whose second argument is neither text nor options. */
const special: Readonly<Record<string, readonly unknown[]>> = {
  bulkWrite: ['rw_x', []],
  'files.readMany': ['rw_x', []],
  'files.writeMany': ['rw_x', []],
  'files.edit': ['rw_x', '/x', () => 'x'],
  'files.stageMove': ['rw_x', 'fork_x', { from: '/x', revision: 'rev_1', to: '/y' }],
  subscribe: ['rw_x', { onEvent: () => undefined }],
  'events.subscribe': ['rw_x', { onEvent: () => undefined }],
  'subscriptions.accept': ['rw_x', { id: 'b', claimToken: 't' }],
  'imports.tarball': ['rw_x', { owner: 'o', repo: 'r', headSha: 'abcdef0' }, new Uint8Array(1)],
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const root = path.resolve(import.meta.dirname, '../..');
const document = JSON.parse(readFileSync(path.join(root, 'build/openapi.json'), 'utf8')) as Document;
const operations = Object.entries(document.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    method: method.toUpperCase(),
    // A fixed segment wins over a parameter, as it does in the agent.
    parameters: (url.match(/\{/g) ?? []).length,
    pattern: new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    id: operationId.replace(/-head$/, ''),
  })),
);

function operationOf(method: string, url: string): string | undefined {
  return operations
    .filter((one) => one.method === method && one.pattern.test(url))
    .toSorted((left, right) => left.parameters - right.parameters)[0]?.id;
}

/** All methods by name. Names of grouped methods start with the group. */
function callables(client: MooringClient): ReadonlyMap<string, (...given: unknown[]) => unknown> {
  const found = new Map<string, (...given: unknown[]) => unknown>();
  const collect = (target: object, prefix: string, depth: number) => {
    for (const name of memberNames(target)) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'function') found.set(prefix + name, value.bind(target));
      else if (depth < 2 && value instanceof Object) collect(value, `${prefix}${name}.`, depth + 1);
    }
  };
  collect(client, '', 0);
  return found;
}

/** Own and inherited names. */
function memberNames(target: object): readonly string[] {
  const names = new Set<string>();
  for (let owner = target; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) names.add(name);
  }
  names.delete('constructor');
  // Shared by all groups, and protected.
  names.delete('transport');
  return [...names];
}

/** An answer that ends every list. */
const answer = {
  nextCursor: null,
  entries: [],
  events: [],
  items: [],
  changes: [],
  files: [],
  errors: [],
  runs: [],
  content: '',
};

it('has a method for every operation without a listed reason', async () => {
  const asked: string[] = [];
  const client = new MooringClient({
    baseUrl: 'http://agent',
    token: 't',
    retry: { retries: 0 },
    fetch: (input, init) => {
      asked.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`);
      return Promise.resolve(Response.json(answer));
    },
    webSocket: (url) => {
      asked.push(`GET ${new URL(url).pathname}`);
      throw new Error('no socket in this test');
    },
  });
  const withoutRequest: string[] = [];
  for (const [name, call] of callables(client)) {
    const before = asked.length;
    const result = call(...(special[name] ?? ['rw_x', 'b', {}]));
    if (isIterator(result)) await result.next();
    else if (name.endsWith('subscribe')) {
      const subscription = result as ReturnType<MooringClient['subscribe']>;
      await waitFor('the socket', () => asked.slice(before).some((request) => request.endsWith('/fs/ws')));
      subscription.close();
      await subscription.closed;
    } else await result;
    if (asked.length === before) withoutRequest.push(name);
  }
  expect(withoutRequest).toEqual([]);
  const unknown = asked.filter((request) => operationOf(...splitRequest(request)) === undefined);
  expect(unknown).toEqual([]);
  const reached = new Set(asked.map((request) => operationOf(...splitRequest(request))));
  const missing = operations.map(({ id }) => id).filter((id) => !reached.has(id));
  expect(missing.toSorted()).toEqual(Object.keys(operationsWithoutMethod).toSorted());
});

function splitRequest(request: string): [method: string, url: string] {
  const space = request.indexOf(' ');
  return [request.slice(0, space), request.slice(space + 1)];
}

function isIterator(value: unknown): value is AsyncGenerator {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
