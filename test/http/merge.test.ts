// W/fs/merge on the wire: what it writes, and what it refuses without writing anything.
import { beforeAll, expect, test } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent, startHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
let workspaceId: string;
let token: string;

beforeAll(async () => {
  agent = await openHttpAgent();
  ({ workspaceId, token } = await makeWorkspace(agent));
  return () => agent.close();
});

const base = 'one\ntwo\nthree\nfour\nfive\n';
const fs = () => `/v1/workspaces/${workspaceId}/fs`;

async function put(path: string, content: string, more: object = {}): Promise<string> {
  const answer = await request(agent, `${fs()}/file?path=${path}`, {
    method: 'PUT',
    token,
    headers: { 'if-match': '*' },
    body: { content, ...more },
  });
  expect(answer.status).toBe(202);
  return answer.json.targetRevision;
}

const merge = async (path: string, body: unknown, as = token) =>
  await request(agent, `${fs()}/merge?path=${path}`, { method: 'POST', token: as, body });

async function contentOf(path: string): Promise<string> {
  return (await request(agent, `${fs()}/file?path=${path}`, { token })).json.content;
}

const lines = { strategy: 'three-way-lines-v1', baseContent: base };

test('an edit of an older revision is merged with what stands there now', async () => {
  const baseRevision = await put('/a.txt', base, { contentType: 'text/plain' });
  const theirs = await put('/a.txt', base.replace('five', 'FIVE'));
  const merged = await merge('/a.txt', { ...lines, baseRevision, content: base.replace('one', 'ONE') });
  expect(merged.json).toEqual({
    targetRevision: expect.stringMatching(/^rev_\d+$/),
    strategy: 'three-way-lines-v1',
    baseRevision,
    mergedAgainstRevision: theirs,
  });
  expect(await contentOf('/a.txt')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
});

test('the repeat of a merge whose answer was lost is answered with its first result', async () => {
  const baseRevision = await put('/lost.txt', base);
  await put('/lost.txt', base.replace('five', 'FIVE'));
  const body = {
    ...lines,
    baseRevision,
    content: base.replace('one', 'ONE'),
    contentIdentity: { kind: 'edit', key: 'lost-1' },
  };
  const first = await merge('/lost.txt', body);
  const again = await merge('/lost.txt', body);
  expect(again.json.targetRevision).toBe(first.json.targetRevision);
});

test('the same lines changed twice are a conflict that says where, and nothing is written', async () => {
  const baseRevision = await put('/clash.txt', base);
  const theirs = await put('/clash.txt', base.replace('two', 'theirs'));
  const refused = await merge('/clash.txt', { ...lines, baseRevision, content: base.replace('two', 'mine') });
  expect(codeOf(refused)).toEqual([409, 'merge_conflict']);
  expect(refused.json).toMatchObject({
    currentRevision: theirs,
    conflicts: [{ unit: 'lines 2-2', base: 'two\n', mine: 'mine\n', theirs: 'theirs\n' }],
  });
  expect(await contentOf('/clash.txt')).toBe(base.replace('two', 'theirs'));
});

test('a base that is not kept, or is not what it says, is refused', async () => {
  const baseRevision = await put('/based.txt', base);
  for (const body of [
    { ...lines, baseRevision: 'rev_999999', content: base },
    { ...lines, baseRevision, baseContent: `${base}other\n`, content: base },
  ]) {
    expect(codeOf(await merge('/based.txt', body))).toEqual([409, 'merge_base_unavailable']);
  }
  for (let count = 0; count < 20; count += 1) await put('/based.txt', `${base}${count}\n`);
  expect(codeOf(await merge('/based.txt', { ...lines, baseRevision, content: base }))).toEqual([
    409,
    'merge_base_unavailable',
  ]);
});

test('what cannot be merged says why', async () => {
  const baseRevision = await put('/x.go', base);
  const go = { ...lines, strategy: 'go-top-level-functions-v1', baseRevision, content: base };
  const unsupported = await merge('/x.go', go);
  expect(codeOf(unsupported)).toEqual([422, 'merge_ineligible']);
  expect(unsupported.json.reason).toBe('unsupported_strategy');
  await put('/x.go', 'AAH/', { encoding: 'base64' });
  const binary = await merge('/x.go', { ...lines, baseRevision, content: `${base}more\n` });
  expect([binary.status, binary.json.reason]).toEqual([422, 'binary_content']);
});

test('a request that cannot be read is refused, whatever stands there', async () => {
  const content = base;
  const whole = { ...lines, baseRevision: 'rev_1', content };
  expect(codeOf(await request(agent, `${fs()}/merge`, { method: 'POST', token, body: whole }))).toEqual([
    400,
    'bad_request',
  ]);
  for (const body of [{}, { ...whole, strategy: 'guess' }, { ...whole, content: '\ud800' }, 'no json']) {
    expect(codeOf(await merge('/a.txt', body))).toEqual([400, 'bad_request']);
  }
  expect(codeOf(await merge('/none.txt', whole))).toEqual([404, 'not_found']);
  expect(codeOf(await merge('/a.txt', { ...whole, content: 'x'.repeat(512 * 1024 + 1) }))).toEqual([
    413,
    'payload_too_large',
  ]);
});

test('it needs the right to write the very path', async () => {
  const { token: reader } = await agent.tokens.issue({ workspaceId, scopes: ['fs:read'] });
  const { token: elsewhere } = await agent.tokens.issue({
    workspaceId,
    scopes: ['relayfile:fs:write:/other/*'],
  });
  const baseRevision = await put('/guarded.txt', base);
  for (const as of [reader, elsewhere]) {
    expect(codeOf(await merge('/guarded.txt', { ...lines, baseRevision, content: base }, as))).toEqual([
      403,
      'forbidden',
    ]);
  }
  const hidden = { semantics: { permissions: ['allow:agent:somebody-else'] } };
  const closedRevision = await put('/closed.txt', base, hidden);
  const closed = await merge('/closed.txt', { ...lines, baseRevision: closedRevision, content: base });
  expect(codeOf(closed)).toEqual([403, 'forbidden']);
});

test('writers that race are merged one after the other', async () => {
  const racing = await startHttpAgent();
  const made = await makeWorkspace(racing);
  const url = `/v1/workspaces/${made.workspaceId}/fs`;
  const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
  const first = await request(racing, `${url}/file?path=/r.txt`, {
    method: 'PUT',
    headers: { 'if-match': '*' },
    body: { content: text },
  });
  const edits = [0, 4, 8, 12].map((line) => text.replace(`line ${line}\n`, `LINE ${line}\n`));
  const answers = await Promise.all(
    edits.map((content) =>
      request(racing, `${url}/merge?path=/r.txt`, {
        method: 'POST',
        body: {
          strategy: 'three-way-lines-v1',
          content,
          baseContent: text,
          baseRevision: first.json.targetRevision,
        },
      }),
    ),
  );
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
  const { content } = (await request(racing, `${url}/file?path=/r.txt`)).json;
  expect(content.match(/LINE \d+/g)).toEqual(['LINE 0', 'LINE 4', 'LINE 8', 'LINE 12']);
});
