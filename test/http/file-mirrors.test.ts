// W/fs/mirrors and the MCP tool status: what tokens see of mirrors and conflicts, and what they never see.
import { expect, test } from 'vitest';
import type { ListedConflict } from '../../server/conflicts/conflicts.ts';
import type { Mirror } from '../../server/contract/workspaces.ts';
import { call, connect } from '../mcp/mcp-client.ts';
import { request } from '../support/api-request.ts';
import { makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';

const mirrors = [
  { mirrorId: 'mir_all', path: '/', mode: 'two-way', state: 'syncing' },
  { mirrorId: 'mir_docs', path: '/docs', mode: 'two-way', state: 'idle' },
  { mirrorId: 'mir_secret', path: '/secret', mode: 'to-folder', state: 'halted' },
].map((mirror) => ({ ...mirror, dir: '/somewhere/private', problems: 3 })) as unknown as Mirror[];

function conflict(conflictId: string, path: string, copyPath = `${path} (conflict)`): ListedConflict {
  const row = { conflictId, path, copyPath, atMs: 1 };
  return {
    source: { kind: 'mirror', id: 'mir_all', place: '/somewhere/private' },
    row,
    kind: 'both_edited',
  } as never;
}
const conflicts = [
  conflict('con_docs', '/docs/a.md'),
  conflict('con_secret', '/secret/b.md'),
  conflict('con_across', '/docs/c.md', '/secret/c.md'),
];

async function openAgent() {
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      list: () => Promise.resolve(mirrors),
    },
    conflicts: {
      list: () => Promise.resolve(conflicts),
      get: () => Promise.resolve(null),
      resolve: () => Promise.resolve({ kind: 'unknown' }),
    },
  });
  const { workspaceId, token } = await makeWorkspace(agent);
  const see = async (bearer: string) => {
    const answer = await request(agent, `/v1/workspaces/${workspaceId}/fs/mirrors`, { token: bearer });
    expect([answer.status, answer.bytes.toString('utf8')]).toEqual([
      200,
      expect.not.stringContaining('private'),
    ]);
    const states = answer.json.mirrors.map((one: Mirror) => [one.mirrorId, one.state]);
    const ids = answer.json.conflicts.map((one: { conflictId: string }) => one.conflictId);
    return { states, ids, text: answer.bytes.toString('utf8') };
  };
  return { agent, workspaceId, token, see };
}

test('a token sees the state of the mirrors of its files, and their conflicts', async () => {
  const { agent, workspaceId, token, see } = await openAgent();
  const everything = await see(token);
  expect(everything.states).toEqual([
    ['mir_all', 'syncing'],
    ['mir_docs', 'idle'],
    ['mir_secret', 'halted'],
  ]);
  expect(everything.ids).toEqual(['con_docs', 'con_secret', 'con_across']);
  expect((await see(agent.ownerToken)).ids).toEqual(everything.ids);
  const { token: confined } = await agent.tokens.issue({ workspaceId, path: '/docs/**' });
  const docs = await see(confined);
  expect(docs.states).toEqual([
    ['mir_all', 'running'],
    ['mir_docs', 'idle'],
  ]);
  expect(docs.ids).toEqual(['con_docs']);
  expect(docs.text).not.toContain('secret');
  const { token: below } = await agent.tokens.issue({ workspaceId, path: '/docs/deep/**' });
  expect(await see(below)).toMatchObject({
    states: [
      ['mir_all', 'running'],
      ['mir_docs', 'running'],
    ],
    ids: [],
  });
  const { token: elsewhere } = await agent.tokens.issue({ workspaceId, path: '/other/**' });
  expect(await see(elsewhere)).toMatchObject({ states: [['mir_all', 'running']], ids: [] });
});

test('access rules hide a mirror and its conflicts', async () => {
  const { agent, workspaceId, see } = await openAgent();
  const rules = await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=/secret/.relayfile.acl`, {
    method: 'PUT',
    headers: { 'if-match': '*' },
    body: { content: JSON.stringify({ semantics: { permissions: ['deny:agent:reader'] } }) },
  });
  expect(rules.status).toBe(202);
  const { token } = await agent.tokens.issue({ workspaceId, agent: 'reader' });
  const seen = await see(token);
  expect(seen.states.map(([id]: [string]) => id)).toEqual(['mir_all', 'mir_docs']);
  expect(seen.text).not.toContain('secret');
});

test('the tool status shows the same, also to a confined token, and names what it may not see', async () => {
  const { agent, workspaceId } = await openAgent();
  const path = '/docs/**';
  const { token } = await agent.tokens.issue({ workspaceId, path, scopes: ['fs:read', 'sync:read'] });
  const client = await connect(agent, token);
  const status = await call(client, 'status');
  expect(status).toMatchObject({
    readOnly: true,
    mayRead: ['/docs'],
    mirrors: [
      { path: '/', state: 'running' },
      { path: '/docs', state: 'idle' },
    ],
    conflicts: 1,
    conflictPaths: ['/docs/a.md'],
    deadLetters: 0,
    pendingWriteback: 0,
    unavailable: [],
  });
  expect(JSON.stringify(status)).not.toContain('secret');
  const { token: plain } = await agent.tokens.issue({ workspaceId, path, scopes: ['fs:read'] });
  const less = await call(await connect(agent, plain), 'status');
  expect(less.conflicts).toBe(1);
  expect(less.unavailable).toEqual([
    { part: 'deadLetters', code: 'forbidden' },
    { part: 'pendingWriteback', code: 'forbidden' },
  ]);
});
