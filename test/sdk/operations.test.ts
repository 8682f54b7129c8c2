// The SDK against the OpenAPI document: every operation has a method, or stands here with the reason why not; and no method asks
// for what is no operation. Each method is called once, over a network that only writes down what was asked.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { waitFor } from '../support/wait-for.ts';

const without: Readonly<Record<string, string>> = {
  ingestEnvelope: 'for services that sign with the internal secret, which no client holds',
  adminReplayEnvelopePlural: 'another spelling of a call that has its method',
  replayAdminOperationPlural: 'another spelling of a call that has its method',
};

/** Methods whose second argument is neither a text nor an object of options. */
const special: Readonly<Record<string, readonly unknown[]>> = {
  bulkWrite: ['rw_x', []],
  bulkRead: ['rw_x', []],
  edit: ['rw_x', '/x', () => 'x'],
  subscribe: ['rw_x', { onEvent: () => undefined }],
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

/** Names of all that can be called, those of the groups with the group's name before them. */
function callables(client: MooringClient): ReadonlyMap<string, (...given: unknown[]) => unknown> {
  const found = new Map<string, (...given: unknown[]) => unknown>();
  const collect = (target: object, prefix: string, depth: number) => {
    for (
      let holder = target;
      holder !== Object.prototype && holder !== null;
      holder = Object.getPrototypeOf(holder)
    ) {
      for (const name of Object.getOwnPropertyNames(holder)) {
        // `call` is what a group's methods share, protected by its type alone.
        if (name === 'constructor' || name === 'call' || found.has(prefix + name)) continue;
        const value = (target as Record<string, unknown>)[name];
        if (typeof value === 'function') found.set(prefix + name, value.bind(target));
        else if (depth < 2 && typeof value === 'object' && value !== null)
          collect(value, `${prefix}${name}.`, depth + 1);
      }
    }
  };
  collect(client, '', 0);
  return found;
}

/** An answer that ends every list at once. */
const answer = { nextCursor: null, entries: [], events: [], items: [], changes: [], files: [], errors: [] };

it('has a method for every operation, but for those that are named with their reason', async () => {
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
      throw new Error('there is no socket here');
    },
  });
  const silent: string[] = [];
  for (const [name, call] of callables(client)) {
    const before = asked.length;
    const made = call(...(special[name] ?? ['rw_x', 'b', {}]));
    if (isIterator(made)) await made.next();
    else if (name === 'subscribe') {
      const subscription = made as ReturnType<MooringClient['subscribe']>;
      await waitFor('the socket', () => asked.slice(before).some((request) => request.endsWith('/fs/ws')));
      subscription.close();
      await subscription.closed;
    } else await made;
    if (asked.length === before) silent.push(name);
  }
  expect(silent).toEqual([]);
  const unknown = asked.filter((request) => operationOf(...splitRequest(request)) === undefined);
  expect(unknown).toEqual([]);
  const reached = new Set(asked.map((request) => operationOf(...splitRequest(request))));
  const missing = operations.map(({ id }) => id).filter((id) => !reached.has(id));
  expect(missing.toSorted()).toEqual(Object.keys(without).toSorted());
});

function splitRequest(request: string): [method: string, url: string] {
  const space = request.indexOf(' ');
  return [request.slice(0, space), request.slice(space + 1)];
}

function isIterator(value: unknown): value is AsyncGenerator {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
