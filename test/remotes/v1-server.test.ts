// Writing to servers that differ: metadata of servers of this project travels with the contents, that of others by itself.
import { expect, it } from 'vitest';
import { RemoteUnavailableError, type RemoteWrite } from '../../server/remotes/client/remote-server.ts';
import { V1Server } from '../../server/remotes/client/v1-server.ts';
import { createManualClock } from '../support/manual-clock.ts';

interface Asked {
  readonly route: string;
  readonly ifMatch: string | null;
  readonly body: { readonly semantics?: object; readonly files?: readonly { readonly path: string }[] };
}

type Answer = readonly [status: number, body: object, headers?: Readonly<Record<string, string>>];

const refused = (status: number, code: string): Answer => [
  status,
  { code, message: 'refused', correlationId: 'c' },
];

/** `put`: what it answers to a write of one file. */
function serverOf(readsMany: boolean, put: Answer, bulk?: Answer, filesMax = 256) {
  const asked: Asked[] = [];
  const server = new V1Server({
    url: 'https://server.example',
    workspaceId: 'rw_there',
    token: async () => 'token',
    clock: createManualClock(),
    fetch: async (input, init) => {
      const route = new URL(String(input)).pathname.split('/').at(-1) ?? '';
      const body = init?.body == null ? {} : (JSON.parse(String(init.body)) as Asked['body']);
      const [status, answer, headers = {}] = answerOf(route, body);
      asked.push({ route, ifMatch: new Headers(init?.headers).get('if-match'), body });
      return new Response(JSON.stringify(answer), {
        status,
        headers: { 'content-type': 'application/json', ...headers },
      });
    },
  });
  const answerOf = (route: string, { files = [] }: Asked['body']): Answer => {
    if (route === 'bulk-read') return readsMany ? [200, { files: [] }] : refused(404, 'not_found');
    if (route === 'file') return put;
    if (files.length > filesMax) return refused(413, 'payload_too_large');
    const results = files.map(({ path }) => ({ path, revision: 'rev_5' }));
    return bulk ?? [202, { written: files.length, errorCount: 0, errors: [], results, correlationId: 'c' }];
  };
  return { server, asked };
}

const writeAt = (path: string, semantics: RemoteWrite['semantics']): RemoteWrite => ({
  path,
  expected: 'rev_1',
  bytes: Buffer.from('text'),
  contentType: 'text/plain',
  encoding: 'utf-8',
  semantics,
  identity: path,
});
const writes = [writeAt('/plain', {}), writeAt('/labelled', { properties: { status: 'draft' } })];
const { signal } = new AbortController();
const accepted: Answer = [
  202,
  { opId: 'op_1', status: 'queued', targetRevision: 'rev_6', writeback: {}, correlationId: 'c' },
];

it('sends metadata with the contents to a server of this project', async () => {
  const { server, asked } = serverOf(true, accepted);
  expect(await server.write(writes, signal)).toEqual([
    { kind: 'written', revision: 'rev_5' },
    { kind: 'written', revision: 'rev_5' },
  ]);
  expect(asked.map(({ route }) => route)).not.toContain('file');
});

it('sends metadata after the contents to another server, under the revision of these', async () => {
  const { server, asked } = serverOf(false, accepted);
  expect(await server.write(writes, signal)).toEqual([
    { kind: 'written', revision: 'rev_5' },
    { kind: 'written', revision: 'rev_6' },
  ]);
  expect(asked.filter(({ route }) => route === 'file')).toMatchObject([
    { ifMatch: 'rev_5', body: { semantics: { properties: { status: 'draft' } } } },
  ]);
});

it('leaves it to the events where the file changed meanwhile', async () => {
  const { server } = serverOf(false, refused(409, 'revision_conflict'));
  expect((await server.write(writes, signal))[1]).toEqual({ kind: 'written', revision: 'rev_5' });
});

it.each([429, 503])('waits as long as the server asks for with status %i', async (status) => {
  const [, body] = refused(status, status === 429 ? 'rate_limited' : 'unavailable');
  const { server } = serverOf(true, accepted, [status, body, { 'retry-after': '7' }]);
  const error = await server.write(writes, signal).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RemoteUnavailableError);
  expect(error).toMatchObject({ retryAfterMs: 7000 });
});

it('sends less at once to a server that takes less, and names the file that is too large', async () => {
  const { server, asked } = serverOf(true, accepted, undefined, 1);
  const three = [...writes, writeAt('/third', {})];
  expect((await server.write(three, signal)).map(({ kind }) => kind)).toEqual(Array(3).fill('written'));
  expect(asked.filter(({ route }) => route === 'bulk').map(({ body }) => body.files?.length)).toEqual([
    3, 2, 1, 1, 1,
  ]);
  const none = serverOf(true, accepted, undefined, 0);
  expect(await none.server.write(writes.slice(0, 1), signal)).toEqual([
    { kind: 'refused', message: 'it is larger than the server accepts' },
  ]);
});
