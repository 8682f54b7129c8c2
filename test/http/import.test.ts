import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { expect, onTestFinished, test } from 'vitest';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { type HttpAgentOptions, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const sha = 'a'.repeat(40);
const contents = '/github/repos/ann/notes/contents';

type Entry = {
  readonly name: string;
  readonly type?: 'symlink' | 'link' | 'directory';
  readonly to?: string;
} & {
  readonly content?: string | Buffer;
};

async function tarball(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, type, to, content = '' } of entries) {
    archive.entry(
      { name, ...(type === undefined ? {} : { type }), ...(to === undefined ? {} : { linkname: to }) },
      content as string,
    );
  }
  archive.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of archive) pieces.push(piece as Buffer);
  return gzipSync(Buffer.concat(pieces));
}

const inRoot = (path: string, content: string | Buffer): Entry => ({ name: `notes-abc/${path}`, content });

async function bench(options: HttpAgentOptions = {}) {
  const agent = await startHttpAgent(options);
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const url = `${w}/fs/import/github-tarball`;
  const upload = (body: Uint8Array | string, query = `owner=ann&repo=notes&headSha=${sha}`, as = token) =>
    request(agent, `${url}?${query}`, { method: 'POST', token: as, body });
  const files = async () =>
    (await request(agent, `${w}/fs/tree?path=/&depth=50`)).json.entries
      .filter((entry: { type: string }) => entry.type === 'file')
      .map((entry: { path: string }) => entry.path);
  return { agent, workspaceId, token, w, url, upload, files };
}

test('an archive becomes files, without its leading directory and what tools make again', async () => {
  const { agent, upload, files, w, url, token } = await bench();
  const archive = await tarball([
    { name: 'notes-abc/', type: 'directory' },
    inRoot('README.md', '# Notes\n'),
    inRoot('src/a.bin', Buffer.from([0, 255, 1])),
    inRoot('node_modules/x/index.js', 'x'),
    inRoot('large.txt', 'x'.repeat(1024 * 1024 + 1)),
    inRoot('empty', ''),
  ]);
  const done = await upload(archive, `owner=ann&repo=notes&headSha=${sha}&jobId=first`);
  expect(done.json).toEqual({
    imported: 3,
    errorCount: 0,
    errors: [],
    skipped: [
      { path: 'node_modules/x/index.js', reason: 'ignored' },
      { path: 'large.txt', reason: 'too-large' },
    ],
    bytesWritten: 11,
    correlationId: 'test-1',
  });
  expect(await files()).toEqual([`${contents}/README.md`, `${contents}/empty`, `${contents}/src/a.bin`]);
  const read = await request(agent, `${w}/fs/file?path=${contents}/src/a.bin`);
  expect(read.json).toMatchObject({
    content: 'AP8B',
    encoding: 'base64',
    semantics: { properties: { headSha: sha } },
  });
  const { events } = (await request(agent, `${w}/fs/events`)).json;
  expect(events.map((event: { origin: string }) => event.origin)).toEqual(Array(3).fill('provider_sync'));
  expect((await request(agent, `${w}/ops`, { token })).json.items).toEqual([]);
  expect((await request(agent, `${url}/jobs/first`, { token })).json).toMatchObject({
    status: 'completed',
    imported: 3,
  });
  expect(codeOf(await request(agent, `${url}/jobs/none`, { token }))).toEqual([404, 'not_found']);
});

test('links and paths that lead elsewhere are refused one by one', async () => {
  const { upload, files } = await bench();
  const archive = await tarball([
    inRoot('good', 'x'),
    { name: 'notes-abc/link', type: 'symlink', to: '/etc/passwd' },
    { name: 'notes-abc/hard', type: 'link', to: 'notes-abc/good' },
    inRoot('../../../escape', 'x'),
    inRoot('a/./b', 'x'),
    { name: '/etc/absolute', content: 'x' },
    { name: 'outside', content: 'x' },
    inRoot('good/below', 'x'),
  ]);
  const { json } = await upload(archive);
  expect([json.imported, json.errors.map((error: { code: string }) => error.code)]).toEqual([
    1,
    Array(7).fill('invalid_path'),
  ]);
  expect(await files()).toEqual([`${contents}/good`]);
});

test('each file is checked against the path that the token may write', async () => {
  const { agent, workspaceId, upload, files } = await bench();
  const { token } = await agent.tokens.issue({
    workspaceId,
    scopes: [`relayfile:fs:write:${contents}/docs/**`],
  });
  const { json } = await upload(await tarball([inRoot('docs/a', 'x'), inRoot('b', 'x')]), undefined, token);
  expect(json).toMatchObject({ imported: 1, errors: [{ path: 'b', code: 'forbidden' }] });
  expect(await files()).toEqual([`${contents}/docs/a`]);
  const { token: reader } = await agent.tokens.issue({ workspaceId, scopes: ['fs:read'] });
  expect(codeOf(await upload('x', undefined, reader))).toEqual([403, 'forbidden']);
});

test('what is no archive, or not a whole one, writes nothing', async () => {
  const { upload, files } = await bench();
  const whole = await tarball([inRoot('a', 'x'.repeat(5_000)), inRoot('b', 'y'.repeat(5_000))]);
  for (const body of ['', 'nonsense', gzipSync('no tar'), whole.subarray(0, whole.length - 20)]) {
    expect(codeOf(await upload(body))).toEqual([400, 'bad_request']);
  }
  for (const query of [
    `owner=ann&repo=..&headSha=${sha}`,
    `owner=a/b&repo=notes&headSha=${sha}`,
    'owner=ann&repo=notes&headSha=main',
    `repo=notes&headSha=${sha}`,
    `owner=ann&repo=notes&headSha=${sha}&jobId=a/b`,
  ]) {
    expect([query, ...codeOf(await upload(whole, query))]).toEqual([query, 400, 'bad_request']);
  }
  expect(await files()).toEqual([]);
});

test('a body over the limit of bodies is refused', async () => {
  const { upload } = await bench({ config: { maxBodyBytes: 64 * 1024 } });
  expect(codeOf(await upload(Buffer.alloc(64 * 1024 + 1)))).toEqual([413, 'payload_too_large']);
});

test('nothing is fetched from a host that the owner has not allowed', async () => {
  const { agent, url, token } = await bench({ config: { importHosts: ['codeload.example.org'] } });
  const fetchFrom = async (tarballUrl: string) =>
    errorOf(
      await request(agent, `${url}/fetch`, {
        method: 'POST',
        token,
        body: { owner: 'ann', repo: 'notes', headSha: sha, tarballUrl },
      }),
    );
  for (const from of [
    'https://api.github.com/x',
    'http://127.0.0.1:1/x',
    'https://codeload.example.org.evil.org/',
    'x',
  ]) {
    expect((await fetchFrom(from)).slice(0, 2)).toEqual([403, 'forbidden']);
  }
  expect(await fetchFrom('http://codeload.example.org/x')).toEqual([
    403,
    'forbidden',
    'tarballUrl: http is only taken where it is allowed explicitly',
  ]);
});

test('an archive is fetched over redirections to allowed hosts, with the token for the first alone', async () => {
  const archive = await tarball([inRoot('a', 'fetched')]);
  const seen: (string | undefined)[] = [];
  const hosts = createServer((asked, answer) => {
    seen.push(asked.headers.authorization);
    if (asked.url === '/elsewhere') answer.writeHead(302, { location: 'https://evil.example.org/x' }).end();
    else if (asked.url === '/missing') answer.writeHead(404).end();
    else if (asked.url === '/tarball') {
      answer.writeHead(302, { location: `http://localhost:${port()}/archive` }).end();
    } else answer.end(archive);
  }).listen(0, '127.0.0.1');
  await once(hosts, 'listening');
  onTestFinished(() => void hosts.close());
  const port = () => (hosts.address() as AddressInfo).port;
  const { agent, url, token, files } = await bench({ config: { importHosts: ['127.0.0.1', 'localhost'] } });
  const start = async (path: string, repo: string) =>
    (
      await request(agent, `${url}/fetch`, {
        method: 'POST',
        token,
        headers: { 'x-github-token': 'secret' },
        body: {
          owner: 'ann',
          repo,
          headSha: sha,
          ref: 'main',
          tarballUrl: `http://127.0.0.1:${port()}${path}`,
        },
      })
    ).json;
  const ended = async (jobId: string) =>
    await waitFor('the job to end', async () => {
      const { json } = await request(agent, `${url}/jobs/${jobId}`, { token });
      return json.completedAt !== undefined && json;
    });
  const job = await start('/tarball', 'notes');
  expect(job).toMatchObject({ owner: 'ann', ref: 'main', imported: 0 });
  expect(await ended(job.jobId)).toMatchObject({ status: 'completed', imported: 1, bytesWritten: 7 });
  expect(seen).toEqual(['Bearer secret', undefined]);
  expect(await files()).toEqual([`${contents}/a`]);
  const gone = await start('/elsewhere', 'other');
  expect(await ended(gone.jobId)).toMatchObject({
    status: 'failed',
    lastError: expect.stringContaining('does not allow'),
  });
  const missing = await start('/missing', 'third');
  expect(await ended(missing.jobId)).toMatchObject({ status: 'failed', lastError: 'the host answered 404' });
});
