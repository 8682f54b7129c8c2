import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { longestTurnMs } from '../support/longest-turn.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const control = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
/** Bytes by path: what exports tend to get wrong. */
const files: Readonly<Record<string, Buffer>> = {
  '/plain.md': Buffer.from('one\ntwo\n'),
  '/no newline at the end.txt': Buffer.from('one\ntwo'),
  '/empty': Buffer.alloc(0),
  '/only-a-newline': Buffer.from('\n'),
  '/newlines': Buffer.from('\n\n\n'),
  '/crlf.txt': Buffer.from('a\r\nb\r\n\r\n'),
  '/bom.txt': Buffer.from('\ufeffbom\n'),
  '/binary/all.bin': control,
  '/binary/random.bin': randomBytes(70_000),
  '/binary/nul.txt': Buffer.from('a\0b\n'),
  '/binary/latin1.txt': Buffer.from('caf\xe9\n', 'latin1'),
  '/binary/one.bin': Buffer.from([0]),
  // Of several pieces, and with characters of several bytes where one piece ends.
  '/large.bin': randomBytes(300_000),
  // Streamed, not read whole.
  '/larger.bin': randomBytes(3_000_001),
  '/large.md': Buffer.from(`x${'日本語\n'.repeat(60_000)}end`),
  '/one-line.txt': Buffer.from(`ab${'é'.repeat(300_000)}`),
  '/ünï/日本語 — ✓.md': Buffer.from('ünï\n'),
  '/quo"te/back\\slash\ttab.md': Buffer.from('x\n'),
  '/new\nline.md': Buffer.from('x\n'),
  '/looks/like-a-patch.diff': Buffer.from(
    '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n\\ No newline at end of file\n',
  ),
  [`/${'long-'.repeat(45)}name/${'deep/'.repeat(40)}file.txt`]: Buffer.from('deep\n'),
  '/-dash/--option': Buffer.from('x\n'),
  '/trailing space /x': Buffer.from('x\n'),
};

async function filled(): Promise<{ agent: HttpAgent; url: string; token: string }> {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}/fs`;
  const body = {
    files: Object.entries(files).map(([name, bytes]) => ({
      path: name,
      content: bytes.toString('base64'),
      encoding: 'base64',
    })),
  };
  const written = await request(agent, `${url}/bulk`, { method: 'POST', token, body });
  expect(written.json.errors).toEqual([]);
  return { agent, url, token };
}

/** Every file below the folder, by its path from there. */
function filesBelow(folder: string): Record<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [`/${path.relative(folder, file)}`, readFileSync(file)];
    }),
  );
}

function sameFiles(found: Readonly<Record<string, Buffer>>): void {
  expect(Object.keys(found).sort()).toEqual(Object.keys(files).sort());
  for (const [name, bytes] of Object.entries(files)) {
    if (!found[name]?.equals(bytes)) throw new Error(`${JSON.stringify(name)} has other bytes`);
  }
}

test('tar: unpacked it is byte-identical', async () => {
  const { agent, url, token } = await filled();
  const answer = await request(agent, `${url}/export?format=tar`, { token });
  expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    'application/gzip',
    'attachment; filename="workspace-export.tar.gz"',
  ]);
  const folder = tempFolder();
  execFileSync('tar', ['-xzf', '-'], { cwd: folder, input: answer.bytes });
  sameFiles(filesBelow(folder));
});

test('tar: level 0 is the tar itself, 1 to 9 are gzipped, and anything else is refused', async () => {
  const { agent, url, token } = await filled();
  const plain = await request(agent, `${url}/export?format=tar&level=0`, { token });
  expect([plain.headers.get('content-type'), plain.headers.get('content-disposition')]).toEqual([
    'application/x-tar',
    'attachment; filename="workspace-export.tar"',
  ]);
  const folder = tempFolder();
  execFileSync('tar', ['-xf', '-'], { cwd: folder, input: plain.bytes });
  sameFiles(filesBelow(folder));
  // Names that need a header of their own are not counted.
  const announced = Number(plain.headers.get('mooring-tar-bytes'));
  expect(Math.abs(announced / plain.bytes.length - 1)).toBeLessThan(0.05);
  for (const level of [1, 9]) {
    const packed = await request(agent, `${url}/export?format=tar&level=${level}`, { token });
    expect(packed.headers.get('content-type')).toBe('application/gzip');
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
  }
  for (const query of ['format=tar&level=10', 'format=tar&level=-1', 'format=tar&level=', 'level=1']) {
    expect(codeOf(await request(agent, `${url}/export?${query}`, { token }))).toEqual([400, 'bad_request']);
  }
});

test('tar: the size is not announced where access rules hide files from the caller', async () => {
  const { agent, url, token } = await filled();
  await request(agent, `${url}/file?path=/binary/.relayfile.acl`, {
    method: 'PUT',
    token,
    headers: { 'if-match': '*' },
    body: { content: JSON.stringify({ semantics: { permissions: ['deny:agent:another'] } }) },
  });
  const answer = await request(agent, `${url}/export?format=tar`, { token });
  expect([answer.status, answer.headers.get('mooring-tar-bytes')]).toEqual([200, null]);
});

test.each([0, 1])('tar, level %i: a content that is corrupted breaks the connection', async (level) => {
  const { agent, url, token } = await filled();
  const hash = createHash('sha256')
    .update(files['/larger.bin'] ?? '')
    .digest('hex');
  const stored = path.join(agent.dataDir, 'blobs', hash.slice(0, 2), hash);
  const bytes = readFileSync(stored);
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
  writeFileSync(stored, bytes);
  const get = (at: string) => request(agent, `${url}/export?format=tar&level=${level}&path=${at}`, { token });
  await expect(get('/')).rejects.toThrow('terminated');
  expect((await get('/binary')).status).toBe(200);
});

test('patch: git apply reproduces the bytes in an empty repository', async () => {
  const { agent, url, token } = await filled();
  const answer = await request(agent, `${url}/export?format=patch`, { token });
  expect(answer.headers.get('content-type')).toBe('text/x-diff; charset=utf-8');
  const folder = tempFolder();
  execFileSync('git', ['init', '-q', folder]);
  execFileSync('git', ['-c', 'core.autocrlf=false', 'apply', '--whitespace=nowarn', '-'], {
    cwd: folder,
    input: answer.bytes,
  });
  execFileSync('rm', ['-rf', path.join(folder, '.git')]);
  sameFiles(filesBelow(folder));
});

test('patch: git itself would write the same', async () => {
  const { agent, url, token } = await filled();
  const ours = (await request(agent, `${url}/export?format=patch&path=/binary`, { token })).bytes;
  const folder = tempFolder();
  execFileSync('git', ['init', '-q', folder]);
  mkdirSync(path.join(folder, 'binary'));
  for (const [name, bytes] of Object.entries(files)) {
    if (name.startsWith('/binary/')) writeFileSync(path.join(folder, name), bytes);
  }
  execFileSync('git', ['add', '-A'], { cwd: folder });
  const theirs = execFileSync('git', ['diff', '--cached', '--binary', '--full-index', '--no-ext-diff'], {
    cwd: folder,
    maxBuffer: 1e8,
  });
  const headers = (patch: Buffer) =>
    patch
      .toString('latin1')
      .split('\n')
      .filter((line) => /^(diff|index|new file|literal)/.test(line));
  const latin1IsTextForGit = (lines: string[]) => lines.filter((line) => !line.startsWith('literal'));
  expect(latin1IsTextForGit(headers(ours))).toEqual(latin1IsTextForGit(headers(theirs)));
});

test('json: a bare list of file records, sorted by path', async () => {
  const { agent, url, token } = await filled();
  const answer = await request(agent, `${url}/export`, { token });
  const found = Object.fromEntries(
    answer.json.map((file: { path: string; content: string; encoding?: 'base64' }) => [
      file.path,
      Buffer.from(file.content, file.encoding ?? 'utf8'),
    ]),
  );
  sameFiles(found);
  const order = answer.json.map((file: { path: string }) => Buffer.from(file.path));
  expect(order).toEqual([...order].sort(Buffer.compare));
  expect((await request(agent, `${url}/export?path=/binary`, { token })).json).toHaveLength(5);
  expect((await request(agent, `${url}/export?path=/nothing`, { token })).json).toEqual([]);
  expect(codeOf(await request(agent, `${url}/export?format=zip`, { token }))).toEqual([400, 'bad_request']);
});

test.each(['json', 'tar&level=0', 'patch'])('many small files as %s hold up nothing else', async (format) => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}/fs`;
  for (let part = 0; part < 3; part += 1) {
    const body = {
      files: Array.from({ length: 1000 }, (_, n) => ({ path: `/d${part}/${n}.md`, content: `# ${n}\n` })),
    };
    await request(agent, `${url}/bulk`, { method: 'POST', token, body });
  }
  const exported = async () => {
    const response = await fetch(`${agent.url}${url}/export?format=${format}`, {
      headers: { authorization: `Bearer ${token}`, 'x-correlation-id': 'export' },
    });
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(3 * 1000 * 10);
  };
  await exported();
  expect(await longestTurnMs(exported)).toBeLessThan(50);
});

test('a third export at once is told to come back, and one that is given up makes room', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}/fs`;
  // More than sockets buffer, so that an export that is not read does not end.
  for (let index = 0; index < 6; index += 1) {
    await request(agent, `${url}/file?path=/${index}`, {
      method: 'PUT',
      token,
      headers: { 'if-match': '*' },
      body: { content: randomBytes(6_000_000).toString('base64') },
    });
  }
  const unread = () =>
    new Promise<{ destroy(): void }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'x-correlation-id': 'c' };
      get(`${agent.url}${url}/export`, { headers }, (answer) => resolve(answer.pause())).on('error', reject);
    });
  const first = await unread();
  const second = await unread();
  const third = await request(agent, `${url}/export`, { token });
  expect([...codeOf(third), third.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
  first.destroy();
  await waitFor(
    'room for another export',
    async () => (await request(agent, `${url}/export?path=/0`, { token })).status === 200,
  );
  second.destroy();
});

test('an export shows one moment, whatever is written meanwhile', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}/fs`;
  const write = (round: number) =>
    request(agent, `${url}/bulk`, {
      method: 'POST',
      token,
      body: {
        files: Array.from({ length: 200 }, (_, index) => ({ path: `/f/${index}`, content: String(round) })),
      },
    });
  await write(0);
  let round = 1;
  let writing = true;
  const writer = (async () => {
    for (; writing; round += 1) await write(round);
  })();
  for (let index = 0; index < 10; index += 1) {
    const answer = await request(agent, `${url}/export`, { token });
    const rounds = new Set(answer.json.map((file: { content: string }) => file.content));
    expect([answer.json.length, rounds.size]).toEqual([200, 1]);
  }
  writing = false;
  await writer;
});
