// What a search finds follows every way in which contents, paths and rules change: right after each of them a search that waits for the index
// finds what is there now and nothing else.
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchResult } from '../../server/contract/search.ts';
import { type ApiRequest, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

async function workspace() {
  const made = await makeWorkspace(agent, { agent: 'ann' });
  const call = async (url: string, options: ApiRequest = {}) => {
    const answer = await request(agent, `/v1/workspaces/${made.workspaceId}${url}`, {
      token: made.token,
      ...options,
    });
    expect({ url, status: answer.status < 300 ? 200 : answer.status, json: answer.json }).toMatchObject({
      status: 200,
    });
    return answer.json;
  };
  const at = (path: string, forkId?: string) =>
    `/fs/file?path=${encodeURIComponent(path)}${forkId === undefined ? '' : `&forkId=${forkId}`}`;
  const put = (path: string, content: string, forkId?: string, more: object = {}) =>
    call(at(path, forkId), { method: 'PUT', headers: { 'if-match': '*' }, body: { content, ...more } });
  const remove = (path: string, forkId?: string) =>
    call(at(path, forkId), { method: 'DELETE', headers: { 'if-match': '*' } });
  /** All pages. */
  const pages = async (query: Readonly<Record<string, string>>, token = made.token) => {
    const all: SearchResult[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const asked = new URLSearchParams({ wait: '10000', ...query, ...(cursor === '' ? {} : { cursor }) });
      const page = (await call(`/fs/search?${asked}`, { token })) as unknown as SearchResult;
      all.push(page);
      cursor = page.nextCursor;
    }
    return all;
  };
  const paths = async (q: string, query: Readonly<Record<string, string>> = {}, token = made.token) =>
    (await pages({ q, ...query }, token)).flatMap(({ items }) => items.map(({ path }) => path)).toSorted();
  /** By words, by a substring, by an expression and by name. */
  const found = async (word: string, query: Readonly<Record<string, string>> = {}, token = made.token) => {
    const contents = await paths(word, query, token);
    for (const mode of ['literal', 'regex'])
      expect(await paths(word, { ...query, mode }, token)).toEqual(contents);
    return contents;
  };
  const issue = async (scopes: readonly string[], name = 'bob') =>
    (await agent.tokens.issue({ workspaceId: made.workspaceId, agent: name, scopes })).token;
  return { ...made, call, put, remove, pages, paths, found, issue };
}

const names = { mode: 'name' } as const;

describe('a search follows', () => {
  test('a restore of a file, of a folder and of all changes of a request', async () => {
    const { put, remove, call, found, paths } = await workspace();
    const first = await put('/plans/trip.md', 'ferry at noon');
    await put('/plans/hotel.md', 'ferry terminal hotel');
    const state = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await put('/plans/trip.md', 'train at night');
    await remove('/plans/hotel.md');
    expect([await found('ferry'), await found('train')]).toEqual([[], ['/plans/trip.md']]);
    expect(await paths('hotel', names)).toEqual([]);
    const restore = (body: object) => call('/fs/restore', { method: 'POST', body });
    await restore({ path: '/plans/trip.md', revision: first.targetRevision });
    expect([await found('ferry'), await found('train')]).toEqual([['/plans/trip.md'], []]);
    await restore({ path: '/', at: state });
    expect(await found('ferry')).toEqual(['/plans/hotel.md', '/plans/trip.md']);
    expect(await paths('hotel', names)).toEqual(['/plans/hotel.md']);
    const change = await put('/plans/hotel.md', 'tram stop');
    await restore({ batch: (change.targetRevision as string).replace('rev', 'batch') });
    expect([await found('tram'), await found('terminal')]).toEqual([[], ['/plans/hotel.md']]);
  });

  test('a commit of a fork, and a commit and an undo of a run', async () => {
    const { put, remove, call, found } = await workspace();
    await put('/a.md', 'granite');
    await put('/b.md', 'granite');
    const { forkId } = (await call('/forks', { method: 'POST', body: { proposalId: 'p' } })) as {
      forkId: string;
    };
    await put('/a.md', 'marble', forkId);
    await remove('/b.md', forkId);
    const inFork = { forkId };
    expect([await found('marble'), await found('marble', inFork), await found('granite', inFork)]).toEqual([
      [],
      ['/a.md'],
      [],
    ]);
    await call(`/forks/${forkId}/commit`, { method: 'POST', body: {} });
    expect([await found('marble'), await found('granite')]).toEqual([['/a.md'], []]);

    const run = (await call('/runs', { method: 'POST', body: {} })) as { runId: string; forkId: string };
    await put('/c.md', 'marble floor', run.forkId);
    await put('/a.md', 'slate', run.forkId);
    expect([await found('marble'), await found('marble', { forkId: run.forkId })]).toEqual([
      ['/a.md'],
      ['/c.md'],
    ]);
    await call(`/runs/${run.runId}/commit`, { method: 'POST', body: {} });
    expect([await found('marble'), await found('slate')]).toEqual([['/c.md'], ['/a.md']]);
    await call(`/runs/${run.runId}/undo`, { method: 'POST', body: {} });
    expect([await found('marble'), await found('slate')]).toEqual([['/a.md'], []]);
  });

  test('a move of a folder, and its deletion', async () => {
    const { put, remove, found, paths, workspaceId } = await workspace();
    for (const name of ['a', 'b', 'c']) await put(`/old/in/${name}.md`, `basalt ${name}`);
    expect(await found('basalt')).toHaveLength(3);
    const moves = ['a', 'b', 'c'].map((name) => ({
      kind: 'move_file' as const,
      from: `/old/in/${name}.md`,
      to: `/new/${name}.md`,
      precondition: { kind: 'any' as const },
    }));
    await agent.workspaces.change({
      workspaceId,
      changes: moves,
      atomic: true,
      actor: { kind: 'mirror', name: 'Folder', tokenId: null },
      origin: 'agent_write',
      access: null,
      correlationId: 'corr-move',
      makesOperations: false,
    });
    expect(await found('basalt')).toEqual(['/new/a.md', '/new/b.md', '/new/c.md']);
    expect(await found('basalt', { path: '/old' })).toEqual([]);
    expect(await paths('old', names)).toEqual([]);
    expect(await paths('new', names)).toHaveLength(3);
    for (const name of ['a', 'b', 'c']) await remove(`/new/${name}.md`);
    expect([await found('basalt'), await paths('md', names)]).toEqual([[], []]);
  });

  test('an import', async () => {
    const { call, found } = await workspace();
    const archive = pack();
    archive.entry({ name: 'notes-abc/guide.md' }, 'obsidian');
    archive.finalize();
    const pieces: Buffer[] = [];
    for await (const piece of archive) pieces.push(piece as Buffer);
    const url = `/fs/import/github-tarball?owner=ann&repo=notes&headSha=${'a'.repeat(40)}`;
    await call(url, { method: 'POST', body: gzipSync(Buffer.concat(pieces)) });
    expect(await found('obsidian')).toEqual(['/github/repos/ann/notes/contents/guide.md']);
  });

  test('a change of rules, also without a wait', async () => {
    const { put, remove, call, found, paths, issue } = await workspace();
    const bob = await issue(['fs:read']);
    const owner = { token: agent.ownerToken };
    const setRules = (permissions: readonly string[]) =>
      call('/fs/file?path=/team/.relayfile.acl', {
        method: 'PUT',
        headers: { 'if-match': '*' },
        body: { content: JSON.stringify({ semantics: { permissions } }) },
        ...owner,
      });
    await put('/team/a.md', 'quartz');
    await put('/b.md', 'quartz');
    const seen = async (query: Readonly<Record<string, string>> = {}) => [
      await found('quartz', query, bob),
      await paths('md', { ...names, ...query }, bob),
    ];
    const all = ['/b.md', '/team/a.md'];
    expect(await seen()).toEqual([all, all]);
    await setRules(['deny:agent:bob', 'allow:public']);
    expect(await seen({ wait: '' })).toEqual([['/b.md'], ['/b.md']]);
    expect(await seen({ path: '/team' })).toEqual([[], []]);
    // In a fork of the workspace too.
    const { forkId } = (await call('/forks', { method: 'POST', body: { proposalId: 'p' } })) as {
      forkId: string;
    };
    expect(await seen({ forkId })).toEqual([['/b.md'], ['/b.md']]);
    expect(await found('quartz')).toEqual(all);
    await setRules(['allow:public']);
    expect(await seen({ wait: '' })).toEqual([all, all]);
    await setRules(['deny:agent:bob', 'allow:public']);
    await call('/fs/file?path=/team/.relayfile.acl', {
      method: 'DELETE',
      headers: { 'if-match': '*' },
      ...owner,
    });
    expect(await seen()).toEqual([all, all]);
    await put('/b.md', 'quartz', undefined, {
      semantics: { permissions: ['deny:agent:bob', 'allow:public'] },
    });
    expect(await seen()).toEqual([['/team/a.md'], ['/team/a.md']]);
    await remove('/b.md');
    expect(await found('quartz')).toEqual(['/team/a.md']);
  });

  test('a grant of paths', async () => {
    const { put, paths, issue } = await workspace();
    await put('/docs/a.md', 'onyx');
    await put('/docs-old/b.md', 'onyx');
    const token = await issue(['relayfile:fs:read:/docs/**']);
    for (const mode of ['text', 'literal', 'regex'])
      expect(await paths('onyx', { path: '/docs', mode }, token)).toEqual(['/docs/a.md']);
    expect(await paths('md', { path: '/docs', mode: 'name' }, token)).toEqual(['/docs/a.md']);
  });
});

describe('what the caller may not read', () => {
  test('changes neither a page nor the number of pages', async () => {
    const { put, pages, issue } = await workspace();
    const bob = await issue(['fs:read']);
    const ask = async () => {
      const answers: unknown[] = [];
      for (const [mode, q] of [
        ['text', 'copper'],
        ['text', '"copper wire"'],
        ['literal', 'copper wire'],
        ['literal', 'pp'],
        ['regex', 'cop+er'],
        ['name', 'md'],
        ['name', 'fm'],
      ] as const) {
        const all = await pages({ q, mode, limit: '3' }, bob);
        answers.push([
          q,
          mode,
          all.map(({ items, complete, nextCursor }) => ({ items, complete, more: nextCursor !== null })),
        ]);
      }
      return answers;
    };
    for (let index = 0; index < 8; index += 1)
      await put(`/f${index}.md`, `copper wire ${'x '.repeat(index)}`);
    const before = await ask();
    // Newer, older by name, better by score, and more than are ranked together.
    const hidden = { semantics: { permissions: ['allow:agent:ann'] } };
    const large = `copper wire ${'copper '.repeat(20_000)}`;
    for (let index = 0; index < 40; index += 1) {
      await put(`/f${index % 8}/f${index}.md`, `${large}${index}`, undefined, hidden);
      await put(`/a${index}.md`, `copper wire ${index}`, undefined, hidden);
    }
    expect(await ask()).toEqual(before);
  });
});

describe('many files', () => {
  test('are all found, each once, in pages of any size', async () => {
    const { call, paths, pages } = await workspace();
    const files = Array.from({ length: 700 }, (_, index) => ({
      path: `/d${index % 9}/note ${index}.md`,
      content: `the brass plate of door ${index}\n${'filler text '.repeat(index % 40)}`,
    }));
    await call('/fs/bulk', { method: 'POST', body: { files } });
    const all = files.map(({ path }) => path).toSorted();
    // With words and trigrams of the index, words alone, trigrams alone, and none.
    for (const [mode, q] of [
      ['literal', 'the brass plate of'],
      ['text', '"brass plate"'],
      ['literal', 'brass'],
      ['literal', 'br'],
      ['regex', 'brass\\s+plate of'],
      ['name', 'note'],
      ['name', 'nt.md'],
      ['name', 'd e'],
    ] as const) {
      for (const limit of ['50', '500'])
        expect([mode, q, await paths(q, { mode, limit })]).toEqual([mode, q, all]);
      const answers = await pages({ q, mode });
      expect(answers.every(({ complete }) => complete)).toBe(true);
      expect(answers[0]?.items).toHaveLength(50);
    }
  });

  test('are named by their best match first, across pages', async () => {
    const { call, pages } = await workspace();
    const files = [
      '/x/plan.md',
      '/plan',
      '/plan/other.md',
      '/my-plan.md',
      '/explanation.md',
      '/p/l/a/n.md',
      '/pelican.md',
    ];
    await call('/fs/bulk', {
      method: 'POST',
      body: { files: files.map((path) => ({ path, content: path })).filter(({ path }) => path !== '/plan') },
    });
    for (const limit of ['1', '2', '50']) {
      const all = (await pages({ q: 'plan', mode: 'name', limit })).flatMap(({ items }) => items);
      expect(all.map(({ path }) => path)).toEqual([
        '/x/plan.md',
        '/my-plan.md',
        '/explanation.md',
        '/plan/other.md',
        '/pelican.md',
        '/p/l/a/n.md',
      ]);
      const scores = all.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    }
  });
});
