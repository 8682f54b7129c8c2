import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchItem, SearchResult } from '../../server/contract/search.ts';
import { type ApiRequest, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

async function workspace(token: Parameters<typeof makeWorkspace>[1] = {}) {
  const made = await makeWorkspace(agent, token);
  const call = (url: string, options: ApiRequest = {}) =>
    request(agent, `/v1/workspaces/${made.workspaceId}${url}`, { token: made.token, ...options });
  const put = async (path: string, content: string, more: object = {}, forkId?: string) => {
    const { status } = await call(
      `/fs/file?path=${encodeURIComponent(path)}${forkId === undefined ? '' : `&forkId=${forkId}`}`,
      { method: 'PUT', headers: { 'if-match': '*' }, body: { content, ...more } },
    );
    expect(status).toBe(202);
  };
  const ask = (query: Readonly<Record<string, string>>, options: ApiRequest = {}) =>
    call(`/fs/search?${new URLSearchParams({ wait: '10000', ...query })}`, options);
  /** All pages as one: on a busy machine a page ends early. With a limit: one page. */
  const search = async (query: Readonly<Record<string, string>>, options: ApiRequest = {}) => {
    const items: SearchItem[] = [];
    for (let cursor: string | null = null; ; ) {
      const { status, json } = await ask(cursor === null ? query : { ...query, cursor }, options);
      expect({ status, json }).toMatchObject({ status: 200 });
      const page = json as unknown as SearchResult;
      items.push(...page.items);
      cursor = page.nextCursor;
      if (cursor === null || query.limit !== undefined) return { ...page, items };
    }
  };
  const paths = async (query: Readonly<Record<string, string>>, options: ApiRequest = {}) =>
    (await search(query, options)).items.map(({ path }) => path).toSorted();
  return { ...made, call, put, ask, search, paths };
}

describe('search', () => {
  test('takes the cursor of the same search alone, for each of its filters', async () => {
    const { put, ask } = await workspace();
    for (let index = 0; index < 5; index += 1) await put(`/d/f${index}.md`, `cedar ${index}`);
    const base = { q: 'cedar', limit: '2' };
    const cursor = (await ask(base)).json.nextCursor as string;
    expect((await ask({ ...base, cursor })).json.items).toHaveLength(2);
    // How many are shown at once is not a part of the search.
    expect((await ask({ ...base, limit: '9', cursor })).json.items).toHaveLength(3);
    for (const other of [
      { q: 'ceda*' },
      { mode: 'literal' },
      { path: '/d' },
      { glob: '*.md' },
      { provider: 'd' },
      { changedSince: '2020-01-01T00:00:00Z' },
      { caseSensitive: 'true' },
    ]) {
      const { status, json } = await ask({ ...base, ...other, cursor });
      expect({ status, message: json.message }).toMatchObject({
        status: 400,
        message: expect.stringContaining('invalid cursor'),
      });
    }
    const elsewhere = await workspace();
    expect((await elsewhere.ask({ ...base, cursor })).status).toBe(400);
  });

  test('has limits for files and lines of context, and changedSince includes its time', async () => {
    const { put, call, ask, paths } = await workspace();
    await put('/a.md', `${'line\n'.repeat(30)}juniper\n${'line\n'.repeat(30)}`);
    const context = async (lines: string) => {
      const [item] = (await ask({ q: 'juniper', context: lines })).json.items as readonly SearchItem[];
      const [match] = item?.matches ?? [];
      return [match?.before?.length, match?.after?.length];
    };
    expect([await context('0'), await context('3'), await context('99')]).toEqual([
      [undefined, undefined],
      [3, 3],
      [10, 10],
    ]);
    const files = Array.from({ length: 600 }, (_, index) => ({
      path: `/n/${index}.md`,
      content: `maple ${index}`,
    }));
    await call('/fs/bulk', { method: 'POST', body: { files } });
    for (const [limit, shown] of [
      ['', 50],
      ['7', 7],
      ['500', 500],
      ['501', 500],
      ['0', 50],
    ] as const)
      expect([limit, (await ask({ q: 'n', mode: 'name', limit })).json.items.length]).toEqual([limit, shown]);
    const { lastEditedAt } = (await call('/fs/file?path=/a.md')).json as { lastEditedAt: string };
    const since = (ms: number) => new Date(Date.parse(lastEditedAt) + ms).toISOString();
    expect(await paths({ q: 'juniper', changedSince: since(0) })).toEqual(['/a.md']);
    expect(await paths({ q: 'juniper', changedSince: since(1) })).toEqual([]);
  });

  test('says how far the index is, and waits for what was committed when it was asked', async () => {
    const { put, call, ask } = await workspace();
    for (let index = 0; index < 20; index += 1) {
      await put('/a.md', `linden ${index}`);
      const { json } = await ask({ q: `"linden ${index}"` });
      expect(json.items).toHaveLength(1);
      const newest = (await call('/fs/events?limit=1')).json.events as readonly { eventId: string }[];
      const number = (id: string) => Number(id.replace('evt_', ''));
      expect(number(json.indexedThrough)).toBeGreaterThanOrEqual(number(newest.at(-1)?.eventId ?? ''));
    }
  });

  test('finds words and phrases of what was just written, with line, text and ranges', async () => {
    const { put, search, paths } = await workspace();
    await put('/a.md', 'first line\nThe retry Backoff doubles\nlast line\n');
    await put('/b.md', 'backoff and then retry\n');
    const result = await search({ q: 'retry backoff', context: '1' });
    expect(result).toMatchObject({ complete: true, nextCursor: null, textBytesMax: 1024 * 1024 });
    expect(result.indexedThrough).toMatch(/^evt_[1-9]/);
    expect(result.items.find(({ path }) => path === '/a.md')).toEqual({
      path: '/a.md',
      revision: expect.stringMatching(/^rev_/),
      contentType: 'text/markdown',
      score: expect.any(Number),
      matches: [
        {
          line: 2,
          text: 'The retry Backoff doubles',
          ranges: [
            { start: 4, end: 9 },
            { start: 10, end: 17 },
          ],
          before: ['first line'],
          after: ['last line'],
        },
      ],
      moreMatches: false,
    } satisfies Record<keyof Omit<SearchItem, 'pathRanges'>, unknown>);
    expect(await paths({ q: '"retry backoff"' })).toEqual(['/a.md']);
    expect(await paths({ q: 'dou*' })).toEqual(['/a.md']);
    expect(await paths({ q: 'dou' })).toEqual([]);
    expect(await paths({ q: 'Backoff', caseSensitive: 'true' })).toEqual(['/a.md']);
  });

  test('finds substrings and expressions, with and without case', async () => {
    const { put, search, paths } = await workspace();
    await put('/src/a.ts', 'const fooBar = 12;\nlet x = "ÄÖÜ";\n');
    await put('/src/b.ts', 'const foobar = 345;\n');
    expect(await paths({ q: 'oBa', mode: 'literal' })).toEqual(['/src/a.ts', '/src/b.ts']);
    expect(await paths({ q: 'oBa', mode: 'literal', caseSensitive: 'true' })).toEqual(['/src/a.ts']);
    expect(await paths({ q: 'äöü', mode: 'literal' })).toEqual(['/src/a.ts']);
    expect(await paths({ q: '= ', mode: 'literal' })).toEqual(['/src/a.ts', '/src/b.ts']);
    expect(await paths({ q: 'const \\w+ = \\d{3};$', mode: 'regex' })).toEqual(['/src/b.ts']);
    expect(await paths({ q: '^CONST', mode: 'regex' })).toEqual(['/src/a.ts', '/src/b.ts']);
    expect(await paths({ q: '^CONST', mode: 'regex', caseSensitive: 'true' })).toEqual([]);
    const [item] = (await search({ q: '\\d+', mode: 'regex', glob: 'a.ts' })).items;
    expect(item?.matches).toEqual([
      { line: 1, text: 'const fooBar = 12;', ranges: [{ start: 15, end: 17 }] },
    ]);
  });

  test('finds names, also of files without text', async () => {
    const { put, search, paths } = await workspace();
    await put('/docs/event-feed.md', 'x');
    await put('/src/feed.ts', 'y');
    await put('/img/feed.png', Buffer.from([0, 1, 2]).toString('base64'), { encoding: 'base64' });
    const named = await search({ q: 'feed', mode: 'name' });
    expect(named.items.map(({ path }) => path)).toEqual([
      '/src/feed.ts',
      '/img/feed.png',
      '/docs/event-feed.md',
    ]);
    expect(named.items[0]?.pathRanges).toEqual([{ start: 5, end: 9 }]);
    expect(await paths({ q: 'evfd', mode: 'name' })).toEqual(['/docs/event-feed.md']);
    expect(await paths({ q: 'feed docs', mode: 'name' })).toEqual(['/docs/event-feed.md']);
  });

  test('is limited to a path, a glob, a provider, a time', async () => {
    const { put, paths } = await workspace();
    await put('/a/one.md', 'needle');
    await put('/a/b/two.ts', 'needle');
    await put('/c/three.ts', 'needle');
    expect(await paths({ q: 'needle', path: '/a' })).toEqual(['/a/b/two.ts', '/a/one.md']);
    expect(await paths({ q: 'needle', path: '/a/one.md' })).toEqual(['/a/one.md']);
    expect(await paths({ q: 'needle', glob: '*.ts' })).toEqual(['/a/b/two.ts', '/c/three.ts']);
    expect(await paths({ q: 'needle', provider: 'C' })).toEqual(['/c/three.ts']);
    expect(await paths({ q: 'needle', changedSince: new Date(Date.now() + 60_000).toISOString() })).toEqual(
      [],
    );
  });

  test('pages through everything once', async () => {
    const { put, search } = await workspace();
    for (let index = 0; index < 25; index += 1) await put(`/f${index}.txt`, `common ${'x '.repeat(index)}`);
    for (const mode of ['text', 'literal', 'name'] as const) {
      const q = mode === 'name' ? 'f' : 'common';
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page: SearchResult = await search({
          q,
          mode,
          limit: '7',
          ...(cursor === null ? {} : { cursor }),
        });
        found.push(...page.items.map(({ path }) => path));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(found).toHaveLength(25);
      expect(new Set(found).size).toBe(25);
    }
  });

  test('forgets what was changed and deleted', async () => {
    const { put, call, paths } = await workspace();
    await put('/a', 'old words');
    await put('/b', 'old words');
    expect(await paths({ q: 'old' })).toEqual(['/a', '/b']);
    await put('/a', 'new words');
    await call('/fs/file?path=/b', { method: 'DELETE', headers: { 'if-match': '*' } });
    // Without a wait: an outdated index must not show what is gone.
    expect(await paths({ q: 'old', wait: '' })).toEqual([]);
    expect(await paths({ q: 'new' })).toEqual(['/a']);
  });

  test('of a fork shows what the fork shows', async () => {
    const { put, call, paths } = await workspace();
    await put('/kept', 'alpha');
    await put('/edited', 'alpha');
    const { json } = await call('/forks', { method: 'POST', body: { proposalId: 'p' } });
    const forkId = json.forkId as string;
    await put('/edited', 'beta', {}, forkId);
    await put('/added', 'alpha', {}, forkId);
    await put('/later', 'alpha');
    await put('/kept', 'gamma');
    expect(await paths({ q: 'alpha', forkId })).toEqual(['/added', '/kept']);
    expect(await paths({ q: 'alpha' })).toEqual(['/edited', '/later']);
    expect(await paths({ q: 'beta', forkId, mode: 'regex' })).toEqual(['/edited']);
    expect(await paths({ q: 'e', forkId, mode: 'name' })).toEqual(['/added', '/edited', '/kept']);
    expect((await call('/fs/search?q=x&forkId=fork_none')).status).toBe(404);
  });

  test('shows only what the caller may read, and its answer does not depend on the rest', async () => {
    const { put, search, workspaceId } = await workspace({ agent: 'ann' });
    const bob = (await agent.tokens.issue({ workspaceId, agent: 'bob', scopes: ['fs:read'] })).token;
    const ask = async (mode: string, q: string) => {
      const { complete, items } = await search({ q, mode, limit: '1' }, { token: bob });
      return { complete, items };
    };
    await put('/open.md', 'secret plans');
    const questions = [
      ['text', 'secret'],
      ['literal', 'secret'],
      ['literal', 'se'],
      ['regex', 's.cret'],
      ['name', 'md'],
    ] as const;
    const before = [];
    for (const [mode, q] of questions) before.push(await ask(mode, q));
    for (let index = 0; index < 30; index += 1) {
      await put(`/closed${index}.md`, `secret plans ${index}`, {
        semantics: { permissions: ['allow:agent:ann'] },
      });
    }
    const after = [];
    for (const [mode, q] of questions) after.push(await ask(mode, q));
    expect(after).toEqual(before);
    expect(before.every(({ items }) => items.length === 1 && items[0]?.path === '/open.md')).toBe(true);
    expect((await search({ q: 'secret' })).items).toHaveLength(31);
  });

  test('of a grant of a file shows that file alone', async () => {
    const { put, ask, paths, workspaceId } = await workspace();
    await put('/docs/a.md', 'needle');
    await put('/docs/b.md', 'needle');
    const tokenFor = async (scope: string) =>
      (await agent.tokens.issue({ workspaceId, scopes: [`relayfile:fs:read:${scope}`] })).token;
    const file = { token: await tokenFor('/docs/a.md') };
    expect(await paths({ q: 'needle', path: '/docs/a.md' }, file)).toEqual(['/docs/a.md']);
    expect((await ask({ q: 'needle', path: '/docs' }, file)).status).toBe(403);
    expect((await ask({ q: 'needle' }, file)).status).toBe(403);
    expect(await paths({ q: 'needle', path: '/docs' }, { token: await tokenFor('/docs/**') })).toHaveLength(
      2,
    );
  });

  test('cuts long lines and many matches', async () => {
    const { put, search } = await workspace();
    await put(
      '/long.txt',
      `${'x'.repeat(300_000)} needle ${'y'.repeat(300_000)}\r\n${'needle\n'.repeat(50)}`,
    );
    const [item] = (await search({ q: 'needle', mode: 'literal', context: '1' })).items;
    expect(item?.matches).toHaveLength(20);
    expect(item?.moreMatches).toBe(true);
    const [first] = item?.matches ?? [];
    expect(first?.text).toHaveLength(500);
    const [range] = first?.ranges ?? [];
    expect(first?.text.slice(range?.start, range?.end)).toBe('needle');
    expect(first?.offset).toBe(300_001 - 125);
    expect(first?.after).toEqual(['needle']);
  });

  test('a file above the limit is found by its name alone', async () => {
    const { put, paths } = await workspace();
    await put('/large.txt', `needle ${'x'.repeat(1024 * 1024)}`);
    expect(await paths({ q: 'needle' })).toEqual([]);
    expect(await paths({ q: 'needle', mode: 'regex' })).toEqual([]);
    expect(await paths({ q: 'large', mode: 'name' })).toEqual(['/large.txt']);
  });

  test('a hostile expression ends, and others are answered meanwhile', async () => {
    const { put, search } = await workspace();
    await put('/a.txt', `${`${'a'.repeat(9_000)}\n`.repeat(60)}`);
    const started = performance.now();
    const hostile = search({ q: '(a?){60}a{60}b|(.*a){8}c', mode: 'regex' });
    expect((await search({ q: 'a.txt', mode: 'name' })).items).toHaveLength(1);
    expect((await hostile).items).toEqual([]);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('refuses what it cannot do', async () => {
    const { ask } = await workspace();
    const refused: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
      [{}, 'missing q query'],
      [{ q: 'x', mode: 'magic' }, 'unsupported mode'],
      [{ q: 'x', at: '2026-01-01T00:00:00Z' }, 'past states cannot be searched'],
      [{ q: '!!!' }, 'no word'],
      [{ q: '(', mode: 'regex' }, 'not a valid expression'],
      [{ q: '(?=a)', mode: 'regex' }, 'not a valid expression'],
      [{ q: '((a{0,100}){0,10}){0,2}', mode: 'regex' }, 'q is'],
      [{ q: 'a\nb', mode: 'literal' }, 'line break'],
      [{ q: 'x'.repeat(1001) }, '1000 characters'],
      [{ q: 'x', glob: 'a//b' }, 'glob is not valid'],
      [{ q: 'x', cursor: 'nonsense' }, 'invalid cursor'],
      [{ q: 'x', changedSince: 'soon' }, 'invalid changedSince'],
      [{ q: 'x', caseSensitive: 'maybe' }, 'invalid caseSensitive'],
      [{ q: ' ', mode: 'name' }, 'blank'],
      [{ q: 'a\0b', mode: 'name' }, 'not a text'],
    ];
    for (const [query, message] of refused) {
      const { status, json } = await ask(query);
      expect({ status, json }).toMatchObject({ status: 400, json: { code: 'bad_request' } });
      expect(json.message).toContain(message);
    }
  });
});
