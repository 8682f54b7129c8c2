// Reading from servers that differ: with and without reads of many files, with too large answers, and without metadata in them.
import { expect, it } from 'vitest';
import { sha256Hex } from '../../server/platform/crypto/hashes.ts';
import type { RemoteRead } from '../../server/remotes/client/remote-server.ts';
import { V1Server } from '../../server/remotes/client/v1-server.ts';
import { wholeBytesMax } from '../../server/remotes/limits.ts';
import { createManualClock } from '../support/manual-clock.ts';

type Answer = readonly [status: number, body: object];

/** A server that answers so, and the requests that it got. */
function serverOf(
  answer: (route: string, body: { paths?: readonly string[]; contentBytesMax?: number }) => Answer,
) {
  const asked: string[] = [];
  const server = new V1Server({
    url: 'https://server.example',
    workspaceId: 'rw_there',
    token: async () => 'token',
    clock: createManualClock(),
    fetch: async (input, init) => {
      const { pathname, searchParams } = new URL(String(input));
      const route = `${pathname.split('/').at(-1) ?? ''} ${searchParams.get('path') ?? ''}`.trim();
      asked.push(route);
      const [status, body] = answer(route, init?.body == null ? {} : JSON.parse(String(init.body)));
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    },
  });
  const read = (paths: readonly string[], metadata: 'none' | 'unknown') =>
    server.read(
      paths.map((path) => ({ path, metadata })),
      new AbortController().signal,
    );
  return { read, asked };
}

const fileAt = (path: string) => ({
  path,
  revision: 'rev_1',
  contentType: 'text/plain',
  content: `text of ${path}`,
  semantics: { properties: { of: path } },
});
const refused = (status: number, code: string): Answer => [
  status,
  { code, message: 'refused', correlationId: 'c' },
];
const textsOf = (reads: readonly RemoteRead[]) =>
  reads.map((read) =>
    read.kind === 'file' ? Buffer.from(read.version.bytes ?? 'omitted').toString() : read.kind,
  );

it('reads one by one where the server does not read many', async () => {
  const { read, asked } = serverOf((route) => {
    if (route === 'bulk-read') return refused(404, 'not_found');
    return route === 'file /gone' ? refused(404, 'not_found') : [200, fileAt(route.slice('file '.length))];
  });
  const reads = await read(['/a', '/gone', '/b'], 'none');
  expect(textsOf(reads)).toEqual(['text of /a', 'missing', 'text of /b']);
  await read(['/c'], 'unknown');
  expect(asked.filter((route) => route === 'bulk-read')).toHaveLength(1);
});

it('reads alone what is too large for an answer of many', async () => {
  const { read, asked } = serverOf((route, { paths = [] }) => {
    if (route !== 'bulk-read') return [200, fileAt(route.slice('file '.length))];
    const tooLarge = { status: 413, code: 'payload_too_large', message: 'too large' };
    return [
      200,
      { files: paths.map((path) => (path === '/large' ? { path, error: tooLarge } : fileAt(path))) },
    ];
  });
  expect(textsOf(await read(['/small', '/large'], 'unknown'))).toEqual(['text of /small', 'text of /large']);
  expect(asked).toContain('file /large');
  expect(asked).not.toContain('file /small');
});

it('takes what the server says of a content that it left out, and reads only that alone of which it says nothing', async () => {
  const { read, asked } = serverOf((route, { paths = [], contentBytesMax }) => {
    if (route !== 'bulk-read') return [200, fileAt(route.slice('file '.length))];
    if (paths.length > 0) expect(contentBytesMax).toBe(wholeBytesMax);
    const error = { status: 413, code: 'payload_too_large', message: 'too large' };
    const [contentHash, contentBytes] = ['a'.repeat(64), wholeBytesMax + 1];
    const { content: _, ...large } = { ...fileAt('/large'), contentHash, contentBytes, error };
    return [200, { files: paths.length === 0 ? [] : [large, { ...large, path: '/small', contentBytes: 5 }] }];
  });
  const [large, small] = await read(['/large', '/small'], 'unknown');
  expect(large).toMatchObject({
    kind: 'file',
    version: { bytes: null, sizeBytes: wholeBytesMax + 1, hash: 'a'.repeat(64), revision: 'rev_1' },
  });
  expect(small).toMatchObject({ kind: 'file', version: { hash: sha256Hex('text of /small') } });
  expect(asked).not.toContain('file /large');
});

it.each([
  ['none', false],
  ['unknown', true],
] as const)(
  'with metadata %s, asks again for a file whose answer has none: %s',
  async (metadata, asksAgain) => {
    const { read, asked } = serverOf((route, { paths = [] }) => {
      if (route !== 'bulk-read') return [200, fileAt('/a')];
      return [200, { files: paths.map((path) => ({ ...fileAt(path), semantics: undefined })) }];
    });
    const [file] = await read(['/a'], metadata);
    expect(asked.includes('file /a')).toBe(asksAgain);
    expect(file?.kind === 'file' && file.version.semantics).toEqual(
      asksAgain ? { properties: { of: '/a' } } : null,
    );
  },
);

it('answers a fault of the server for all of them as one', async () => {
  const { read } = serverOf((_route, { paths }) =>
    paths?.length === 0 ? [200, { files: [] }] : refused(503, 'unavailable'),
  );
  await expect(read(['/a'], 'none')).rejects.toThrow('refused');
});
