import { describe, expect, it } from 'vitest';
import type { AccessSubject } from '../../server/core/entry.ts';
import type { PastTreePage, Store } from '../../server/store/port/store.ts';
import { storesInHub } from '../support/hub-database.ts';
import { isLong } from '../support/scale.ts';
import { any, dayMs, openTestStore, testWorkspace } from '../support/store.ts';

interface Asked {
  readonly path?: string;
  readonly depth?: number;
  readonly limit?: number;
  readonly access?: AccessSubject | null;
  readonly after?: string | null;
}

async function page(store: Store, atMs: number, asked: Asked = {}): Promise<PastTreePage> {
  const found = await store.files.treeAt(testWorkspace, {
    path: '/',
    depth: 10,
    limit: 1_000,
    access: null,
    after: null,
    ...asked,
    atMs,
  });
  if (found === null) throw new Error('the position lies outside');
  return found;
}

/** `/d/` is a directory; a file comes with its revision. */
async function tree(store: Store, atMs: number, asked: Asked = {}): Promise<readonly string[]> {
  const { entries } = await page(store, atMs, asked);
  return entries.map((entry) =>
    entry.type === 'dir' ? `${entry.path}/` : `${entry.path} ${entry.revision}`,
  );
}

async function pages(store: Store, atMs: number, asked: Asked): Promise<readonly string[]> {
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const found: PastTreePage = await page(store, atMs, { ...asked, after });
    seen.push(...found.entries.map(({ type, path }) => (type === 'dir' ? `${path}/` : path)));
    after = found.next;
  } while (after !== null);
  return seen;
}

async function openMoving(...options: Parameters<typeof openTestStore>) {
  const given = await openTestStore(...options);
  /** The moment after all that was done so far. */
  const moment = (): number => {
    const { now } = given.clock;
    given.clock.now += 1_000;
    return now;
  };
  return { ...given, moment };
}

describe('a tree as it was', () => {
  it('shows at each moment what stood there then: written, edited, moved, deleted, made again', async () => {
    const { store, put, remove, change, moment } = await openMoving();
    const before = moment();
    await put('/docs/a', 'one');
    await put('/docs/b', 'b');
    const first = moment();
    await put('/docs/a', 'two');
    await remove('/docs/b');
    await change([{ kind: 'move_file', from: '/docs/a', to: '/else/a', precondition: any }]);
    const second = moment();
    await put('/docs/b', 'again');
    const third = moment();
    expect(await tree(store, before)).toEqual([]);
    expect(await tree(store, first)).toEqual(['/docs/', '/docs/a 1', '/docs/b 2']);
    expect(await tree(store, second)).toEqual(['/else/', expect.stringMatching(/^\/else\/a \d+$/)]);
    expect(await tree(store, third)).toHaveLength(4);
    // Between two changes it is as after the earlier one; what is to come is as now.
    expect(await tree(store, first + 999)).toEqual(await tree(store, first));
    expect(await tree(store, third + dayMs)).toEqual(await tree(store, third));
    expect(await store.files.revisionAt(testWorkspace, '/docs/b', second, null)).toMatchObject({
      row: { action: 'delete', hash: null },
    });
    expect(await store.files.revisionAt(testWorkspace, '/docs/b', before, null)).toBeNull();
  });

  it('goes no deeper than it is asked to, and is the same in pages of any size', async () => {
    const { store, put, moment } = await openMoving();
    for (const path of ['/a-b', '/a/x', '/a/y/deep/z', '/a/y/w', '/a0', '/b/c', '/ü/é']) await put(path);
    const atMs = moment();
    await put('/later/a');
    await put('/a/later');
    expect(await pages(store, atMs, { depth: 1 })).toEqual(['/a-b', '/a/', '/a0', '/b/', '/ü/']);
    expect(await pages(store, atMs, { depth: 2 })).toEqual([
      '/a-b',
      '/a/',
      '/a/x',
      '/a/y/',
      '/a0',
      '/b/',
      '/b/c',
      '/ü/',
      '/ü/é',
    ]);
    expect(await pages(store, atMs, { path: '/a', depth: 1 })).toEqual(['/a/x', '/a/y/']);
    expect(await pages(store, atMs, { path: '/a/x' })).toEqual([]);
    for (const depth of [1, 2, 3, 10]) {
      const whole = await pages(store, atMs, { depth });
      for (const limit of [1, 2, 3, 5]) expect(await pages(store, atMs, { depth, limit })).toEqual(whole);
    }
    expect(
      await store.files.treeAt(testWorkspace, {
        path: '/a',
        depth: 1,
        limit: 1,
        access: null,
        atMs,
        after: '/b/c',
      }),
    ).toBeNull();
  });

  it('one level deep is the first level of the whole, whatever came and went below', async () => {
    const { store, put, remove, moment } = await openMoving();
    const names = ['a', 'a-b', 'a/x', 'a/y/z', 'a0', 'b/a/c', 'b/a/d', 'b/b', 'é/😀/x', 'é/😀0', '~'];
    const moments = [moment()];
    const stands = new Set<string>();
    // A fixed sequence in which each path comes, goes and comes again in turns of different length.
    for (let step = 0; step < 66; step += 1) {
      const path = `/${names[(step * 7) % names.length]}`;
      // A file gives way to a directory of its name, and the reverse.
      const gone = [...stands].filter((one) =>
        stands.has(path) ? one === path : path.startsWith(`${one}/`) || one.startsWith(`${path}/`),
      );
      const isNew = !stands.has(path);
      for (const one of gone) await remove(one).then(() => stands.delete(one));
      if (isNew) await put(path, `${step}`).then(() => stands.add(path));
      moments.push(moment());
    }
    // Each moment costs 24 trees in pages, which are 200 answers of a database in another process.
    const everyNth = storesInHub && !isLong ? 6 : 1;
    for (const atMs of moments.filter((_, index) => index % everyNth === 0)) {
      for (const path of ['/', '/a', '/b', '/b/a', '/é', '/é/😀']) {
        const depth = path === '/' ? 1 : path.split('/').length;
        const firstLevel = (await pages(store, atMs, { path })).filter(
          (shown) => shown.replace(/\/$/, '').split('/').length - 1 === depth,
        );
        for (const limit of [1, 3, 1_000])
          expect(await pages(store, atMs, { path, depth: 1, limit })).toEqual(firstLevel);
      }
    }
  });

  it('a page of subtrees in which nothing existed is short, too', async () => {
    const { store, change, put, write, moment } = await openMoving();
    await put('/z/last');
    const atMs = moment();
    const later = Array.from({ length: 5_500 }, (_, n) => `/new/d${String(n).padStart(4, '0')}/f`);
    for (let first = 0; first < later.length; first += 500)
      await change(await Promise.all(later.slice(first, first + 500).map((path) => write(path, 'n'))));
    const short = await page(store, atMs, { path: '/new', depth: 1 });
    expect(short).toMatchObject({ entries: [], next: expect.stringMatching(/^\/new\/d\d{4}\/f$/) });
    expect(await pages(store, atMs, { path: '/new', depth: 1 })).toEqual([]);
    expect(await pages(store, moment(), { path: '/new', depth: 1 })).toHaveLength(later.length);
  });

  it('now is what the tree itself shows, whatever was done before', async () => {
    const { store, put, remove, change, moment } = await openMoving();
    for (let n = 0; n < 60; n += 1) await put(`/d${n % 7}/e${n % 3}/f${n}`, `${n}`);
    for (let n = 0; n < 60; n += 4) await remove(`/d${n % 7}/e${n % 3}/f${n}`);
    for (let n = 1; n < 60; n += 4)
      await change([
        { kind: 'move_file', from: `/d${n % 7}/e${n % 3}/f${n}`, to: `/moved/f${n}`, precondition: any },
      ]);
    const atMs = moment();
    const now = await store.files.tree(testWorkspace, {
      path: '/',
      depth: 10,
      afterPath: null,
      limit: 1_000,
      access: null,
    });
    const past = await page(store, atMs, {});
    const told = (entries: readonly { type: string; path: string; hash?: string; revision?: number }[]) =>
      entries
        .map(({ type, path, hash, revision }) => [type, path, hash ?? '', revision ?? 0].join(' '))
        .sort();
    expect(told(past.entries)).toEqual(told(now?.entries ?? []));
  });

  it('a page that looks at much in vain is short, and goes on from where it ended', async () => {
    const { store, change, put, write, moment } = await openMoving();
    await put('/z/last');
    const atMs = moment();
    for (let first = 0; first < 6_000; first += 1_000) {
      await change(
        await Promise.all(
          Array.from(
            { length: 1_000 },
            async (_, n) => await write(`/new/f${String(first + n).padStart(4, '0')}`, 'n'),
          ),
        ),
      );
    }
    const short = await page(store, atMs, { depth: 1 });
    expect(short.entries).toEqual([]);
    expect(short.next).toMatch(/^\/new\/f\d{4}$/);
    expect(await pages(store, atMs, { depth: 1 })).toEqual(['/z/']);
    // Where they stood, one file tells of them all.
    expect((await page(store, moment(), { depth: 1 })).entries).toMatchObject([
      { path: '/new' },
      { path: '/z' },
    ]);
  });
});

describe('what the rules hide, then or now', () => {
  const reader: AccessSubject = {
    agent: 'reader',
    workspaceId: testWorkspace,
    scopes: ['fs:read'],
  };
  const marker = (...permissions: string[]) => ({ semantics: { permissions } });

  it('is in no tree, names no directory, and no position tells of it', async () => {
    const { store, put, remove, moment } = await openMoving();
    await put('/open/a');
    await put('/shut/.relayfile.acl', '', marker('deny:agent:reader', 'allow:public'));
    await put('/shut/secret');
    const hiddenThen = moment();
    await remove('/shut/.relayfile.acl');
    await put('/shut/open');
    const openNow = moment();
    expect(await tree(store, hiddenThen)).toHaveLength(5);
    expect(await tree(store, hiddenThen, { access: reader })).toEqual(['/open/', '/open/a 1']);
    // What was written while it was hidden stays so, though nothing hides it now.
    expect(await tree(store, openNow, { access: reader })).toEqual([
      '/open/',
      '/open/a 1',
      '/shut/',
      '/shut/open 5',
    ]);
    await put('/open/.relayfile.acl', '', marker('deny:agent:reader', 'allow:public'));
    expect(await tree(store, hiddenThen, { access: reader })).toEqual([]);
    expect(await store.files.revisionAt(testWorkspace, '/shut/secret', hiddenThen, reader)).toMatchObject({
      allowed: false,
    });
  });
});
