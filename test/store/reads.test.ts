import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessSubject } from '../../server/core/entry.ts';
import type { FileFilter, Store } from '../../server/store/port/store.ts';
import { allFiles, any, openTestStore, testWorkspace } from '../support/store.ts';

const one: AccessSubject = { workspaceId: testWorkspace, agent: 'one', scopes: [] };
const everything: FileFilter = { path: '/', properties: {} };
const firstPage = { afterPath: null, limit: 100, access: null };

async function queried(
  store: Store,
  filter: Partial<FileFilter>,
  access: AccessSubject | null = null,
): Promise<string[]> {
  const found = await store.files.query(
    testWorkspace,
    { ...everything, ...filter },
    { ...firstPage, access },
  );
  return found.items.map((item) => item.entry.path);
}

async function seen(
  store: Store,
  more: Partial<Parameters<Store['events']['list']>[1]> = {},
): Promise<string[]> {
  const page = await store.events.list(testWorkspace, {
    direction: 'asc',
    from: null,
    limit: 100,
    pathPrefix: null,
    provider: null,
    access: null,
    ...more,
  });
  return page.events.map((event) => `${event.seq} ${event.type} ${event.path}`);
}

describe('a tree', () => {
  it('of a file, of nothing, or of an unknown workspace is empty; a cursor is a position', async () => {
    const { store, put } = await openTestStore();
    await put('/a/b');
    const tree = (workspaceId: string, path: string, afterPath: string | null) =>
      store.files.tree(workspaceId, { path, depth: 10, afterPath, limit: 10, access: null });
    const empty = { entries: [], more: false, totalFiles: 0, forEveryone: false };
    expect(await tree(testWorkspace, '/a/b', null)).toEqual(empty);
    expect(await tree(testWorkspace, '/nothing', null)).toEqual(empty);
    expect(await tree('rw_unknown1', '/', null)).toEqual(empty);
    expect((await tree(testWorkspace, '/', '/Nothing')).entries).toHaveLength(2);
    expect((await tree(testWorkspace, '/', '/a/a')).entries).toMatchObject([{ path: '/a/b' }]);
    expect(await tree(testWorkspace, '/', '/a/b')).toEqual({ ...empty, totalFiles: 1, forEveryone: true });
  });

  it('hides directories without a visible file, counts visible files, and goes on behind a hidden path', async () => {
    const { store, put } = await openTestStore();
    await put('/open/a');
    await put('/closed/.relayfile.acl', '{"semantics":{"permissions":["agent:two"]}}', {
      aclText: '{"semantics":{"permissions":["agent:two"]}}',
    });
    await put('/closed/a');
    await put('/closed/for-one', 'x', { semantics: { permissions: ['agent:one'] } });
    const page = await store.files.tree(testWorkspace, {
      path: '/',
      depth: 9,
      afterPath: null,
      limit: 10,
      access: one,
    });
    expect(page).toMatchObject({ totalFiles: 2, more: false });
    expect(page.entries.map((entry) => entry.path)).toEqual([
      '/closed',
      '/closed/for-one',
      '/open',
      '/open/a',
    ]);
    const hidden = { path: '/', depth: 9, afterPath: '/closed/a', limit: 10, access: one };
    expect(await store.files.tree(testWorkspace, hidden)).toEqual(
      await store.files.tree(testWorkspace, { ...hidden, afterPath: '/closed/aa' }),
    );
  });
});

describe('a query', () => {
  it('finds by provider, relation, permission, comment and properties, together and below a path', async () => {
    const { store, put } = await openTestStore();
    await put('/GitHub/a', 'x', {
      semantics: { relations: ['r'], properties: { state: 'open', owner: 'me' } },
    });
    await put('/github/b', 'x', {
      semantics: { relations: ['r'], properties: { state: 'open' }, comments: ['c'] },
    });
    await put('/github2/c', 'x', { semantics: { properties: { state: 'open' } } });
    await put('/slack/.relayfile.acl', '', { semantics: { permissions: ['team'] }, aclText: '' });
    await put('/slack/d', 'x');
    await put('/other/e', 'x', { semantics: { permissions: ['team'] } });
    expect(await queried(store, { provider: 'GITHUB' })).toEqual(['/GitHub/a', '/github/b']);
    expect(await queried(store, { provider: 'github', path: '/github' })).toEqual(['/github/b']);
    expect(await queried(store, { relation: 'r' })).toEqual(['/GitHub/a', '/github/b']);
    expect(await queried(store, { relation: 'r', comment: 'c' })).toEqual(['/github/b']);
    expect(await queried(store, { properties: { state: 'open' } })).toEqual([
      '/GitHub/a',
      '/github/b',
      '/github2/c',
    ]);
    expect(await queried(store, { properties: { state: 'open', owner: 'me' } })).toEqual(['/GitHub/a']);
    expect(await queried(store, { permission: 'team' })).toEqual([
      '/other/e',
      '/slack/.relayfile.acl',
      '/slack/d',
    ]);
    expect(await queried(store, { path: '/slack/d' })).toEqual(['/slack/d']);
    expect(await queried(store, { path: '/sla' })).toEqual([]);
    expect(await queried(store, { relation: 'R' })).toEqual([]);
  });

  it('answers the same entry as a look at the file, whichever filter led to it', async () => {
    const { store, put } = await openTestStore();
    await put('/d/a', 'x', { semantics: { comments: ['c'] } });
    const entry = await store.files.get(testWorkspace, '/d/a');
    for (const filter of [{}, { comment: 'c' }, { provider: 'd' }]) {
      const found = await store.files.query(
        testWorkspace,
        { ...everything, ...filter },
        { afterPath: null, limit: 10, access: null },
      );
      expect(found?.items.map((item) => item.entry)).toEqual([entry]);
    }
  });

  it('follows changes of metadata, and pages by path', async () => {
    const { store, put, remove } = await openTestStore();
    for (const name of ['a', 'b', 'c']) await put(`/d/${name}`, 'x', { semantics: { comments: ['old'] } });
    await put('/d/b', 'x', { semantics: { comments: ['new'] } });
    await remove('/d/c');
    expect(await queried(store, { comment: 'old' })).toEqual(['/d/a']);
    expect(await queried(store, { comment: 'new' })).toEqual(['/d/b']);
    const page = (afterPath: string | null) =>
      store.files.query(testWorkspace, everything, { afterPath, limit: 1, access: null });
    expect(await page(null)).toMatchObject({ items: [{ entry: { path: '/d/a' } }], more: true });
    expect(await page('/d/a')).toMatchObject({ items: [{ entry: { path: '/d/b' } }], more: false });
    expect(await page('/d/aa')).toMatchObject({ items: [{ entry: { path: '/d/b' } }], more: false });
    expect(await page('/d/c')).toEqual({ items: [], more: false });
  });

  it('goes through many files in slices and misses none', async () => {
    const { store, change, write } = await openTestStore();
    const content = { content: await store.content.stage(Buffer.from('same')) };
    const paths = Array.from({ length: 1_203 }, (_, index) => `/n/${String(index).padStart(4, '0')}`);
    await change(await Promise.all(paths.map((path) => write(path, '', content))));
    const found = await store.files.query(testWorkspace, everything, {
      afterPath: null,
      limit: 2_000,
      access: one,
    });
    expect(found.items.map((item) => item.entry.path)).toEqual(paths);
    expect(found.more).toBe(false);
  });
});

describe('the feed', () => {
  it('goes both ways from a position, filtered by path and provider, and tells where it got to', async () => {
    const { store, put } = await openTestStore();
    for (const path of ['/a/1', '/b/1', '/a/2', '/ab']) await put(path);
    expect(await seen(store, { from: 2 })).toEqual(['3 file.created /a/2', '4 file.created /ab']);
    expect(await seen(store, { direction: 'desc', limit: 1 })).toEqual(['4 file.created /ab']);
    expect(await seen(store, { direction: 'desc', from: 2 })).toEqual(['1 file.created /a/1']);
    expect(await seen(store, { pathPrefix: '/a' })).toEqual(['1 file.created /a/1', '3 file.created /a/2']);
    expect(await seen(store, { provider: 'B' })).toEqual(['2 file.created /b/1']);
    const page = { direction: 'asc', limit: 1, provider: null, access: null } as const;
    const first = await store.events.list(testWorkspace, { ...page, from: null, pathPrefix: '/a' });
    expect(first).toMatchObject({ more: true, scannedTo: 1 });
    const last = await store.events.list(testWorkspace, { ...page, from: 1, pathPrefix: '/a' });
    expect(last).toMatchObject({ events: [{ seq: 3 }], more: true, scannedTo: 3 });
    expect(await store.events.list(testWorkspace, { ...page, from: 3, pathPrefix: '/a' })).toMatchObject({
      events: [],
      more: false,
    });
  });

  it('shows an event where the rules of its time and, while the path exists, those of today allow it', async () => {
    const { store, put, remove } = await openTestStore();
    await put('/was-closed', '1', { semantics: { permissions: ['agent:two'] } });
    await put('/was-closed', '2', { semantics: { permissions: ['agent:one'] } });
    await put('/now-closed', '1');
    await put('/now-closed', '2', { semantics: { permissions: ['agent:two'] } });
    await put('/gone', '1', { semantics: { permissions: ['agent:two'] } });
    await remove('/gone');
    await put('/open');
    expect(await seen(store, { access: one })).toEqual([
      '2 file.updated /was-closed',
      '7 file.created /open',
    ]);
  });
});

describe('a snapshot', () => {
  it('stays as it was while files change, and its contents stay readable until it is closed', async () => {
    const { store, clock, put, remove } = await openTestStore({
      settings: { historyDays: 0, historyRevisionsMin: 1 },
    });
    const large = Buffer.alloc(200_000, 7);
    await put('/large', large);
    await put('/small', 'before');
    const snapshot = await store.files.snapshot();
    await put('/small', 'after');
    await remove('/large');
    await put('/new');
    clock.now += 1_000;
    await store.maintenance.applyRetention(clock.now);
    const files = await allFiles(snapshot, testWorkspace, '/', null);
    expect(files.map((file) => file.path)).toEqual(['/large', '/small']);
    const contents = await Promise.all(files.map((file) => snapshot.read(file.hash)));
    expect(contents.map((bytes) => bytes.byteLength)).toEqual([200_000, 6]);
    expect((await allFiles(snapshot, testWorkspace, '/small', null)).map((file) => file.path)).toEqual([
      '/small',
    ]);
    snapshot.close();
    expect(await store.files.read(files[0]?.hash ?? '')).toBeNull();
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });
});

describe('operations', () => {
  it('wait to be acknowledged where someone listens, once, and can be queued again when they failed', async () => {
    const { store, put, remove, clock } = await openTestStore({ settings: { externalWriteback: 'all' } });
    await put('/a/1');
    await put('/b/1');
    await remove('/a/1');
    const { operations } = store;
    const ids = async (more: object = {}) =>
      (await operations.list(testWorkspace, { cursor: null, limit: 10, ...more }))?.items.map(
        (row) => row.opId,
      );
    expect((await operations.pending(testWorkspace, 10)).map((row) => row.opId)).toEqual([
      'op_1',
      'op_2',
      'op_3',
    ]);
    const done = { success: true, error: null, providerResult: { externalId: 'x' }, atMs: clock.now };
    expect(
      await store.content.acknowledgeOperation({ workspaceId: testWorkspace, opId: 'op_1', ...done }),
    ).toMatchObject({ status: 'succeeded' });
    const failed = { success: false, error: 'no', providerResult: null, atMs: clock.now };
    expect(
      await store.content.acknowledgeOperation({ workspaceId: testWorkspace, opId: 'op_1', ...failed }),
    ).toMatchObject({
      status: 'succeeded',
    });
    expect(
      await store.content.acknowledgeOperation({ workspaceId: testWorkspace, opId: 'op_2', ...failed }),
    ).toMatchObject({
      status: 'dead_lettered',
      lastError: 'no',
    });
    expect(
      await store.content.acknowledgeOperation({ workspaceId: testWorkspace, opId: 'op_9', ...done }),
    ).toBeNull();
    expect(await ids()).toEqual(['op_3', 'op_2', 'op_1']);
    expect(await ids({ cursor: 'op_2' })).toEqual(['op_1']);
    expect(await ids({ cursor: 'op_7' })).toEqual(['op_3', 'op_2', 'op_1']);
    expect(await ids({ cursor: 'rev_7' })).toBeUndefined();
    expect(await ids({ status: 'pending' })).toEqual(['op_3']);
    expect(await ids({ status: 'succeeded', provider: 'A' })).toEqual(['op_1']);
    expect(await ids({ action: 'file_delete' })).toEqual(['op_3']);
    expect(await ids({ status: 'nonsense' })).toEqual([]);
    expect(
      await operations.requeue({
        workspaceId: testWorkspace,
        opId: 'op_1',
        atMs: clock.now,
        send: 'current',
        correlationId: '',
      }),
    ).toMatchObject({ requeued: false });
    expect(
      await operations.requeue({
        workspaceId: testWorkspace,
        opId: 'op_2',
        atMs: clock.now,
        send: 'current',
        correlationId: '',
      }),
    ).toMatchObject({ requeued: true });
    expect(await operations.get(testWorkspace, 'op_2')).toMatchObject({
      status: 'pending',
      lastError: null,
      attemptCount: 0,
    });
  });
});

describe('bookkeeping', () => {
  it('of mirrors: base, intents and conflicts live and go with their mirror', async () => {
    const { store, clock } = await openTestStore();
    const { mirrors } = store;
    const mirror = {
      mirrorId: 'mir_1',
      workspaceId: testWorkspace,
      dir: '/srv/mirror',
      forkId: null,
      mode: 'to-folder' as const,
      rootPath: '/docs',
      markerId: 'm',
      rootDevice: '1',
      rootInode: '2',
      paused: false,
      pausedUntilMs: null,
      deletesPerMinuteMax: null,
      haltedCause: null,
      epoch: 'e',
      established: false,
      lastSyncAtMs: null,
      createdAtMs: clock.now,
    };
    const base = {
      path: '/a',
      hash: 'a'.repeat(64),
      sizeBytes: 1,
      mtimeNs: '1795184278269123456',
      ctimeNs: '2',
      inode: '18446744073709551615',
      mode: 0o644,
      revision: 7,
      trusted: true,
    };
    await mirrors.insert(mirror);
    await mirrors.saveBase({ mirrorId: 'mir_1', upserts: [base, { ...base, path: '/b' }], removals: [] });
    await mirrors.update({ mirrorId: 'mir_1', patch: { paused: true, haltedCause: 'root missing' } });
    await mirrors.saveBase({ mirrorId: 'mir_1', upserts: [{ ...base, trusted: false }], removals: ['/b'] });
    expect(await mirrors.list()).toEqual([{ ...mirror, paused: true, haltedCause: 'root missing' }]);
    expect(await mirrors.listBase('mir_1', '', 1000)).toEqual([{ ...base, trusted: false }]);
    const put = { action: 'put', path: '/a', fromPath: null, tempName: 't', hash: base.hash } as const;
    const remove = { action: 'remove', path: '/b', fromPath: null, tempName: null, hash: null } as const;
    const ids = await mirrors.beginIntents({ mirrorId: 'mir_1', rows: [put, remove] });
    await mirrors.endIntents({ mirrorId: 'mir_1', ids: ids.slice(0, 1) });
    expect(await mirrors.openIntents('mir_1')).toEqual([{ ...remove, id: ids[1] }]);
    const conflict = {
      conflictId: 'c1',
      path: '/a',
      copyPath: '/a (conflict)',
      localHash: base.hash,
      workspaceHash: null,
      baseHash: null,
      atMs: clock.now,
    };
    await mirrors.addConflict({ mirrorId: 'mir_1', row: conflict });
    expect(await mirrors.listConflicts('mir_1')).toEqual([conflict]);
    await mirrors.remove({ mirrorId: 'mir_1' });
    expect([
      await mirrors.list(),
      await mirrors.listBase('mir_1', '', 1000),
      await mirrors.openIntents('mir_1'),
    ]).toEqual([[], [], []]);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('of tokens: issued, listed newest first, revoked once', async () => {
    const { store } = await openTestStore();
    const token = {
      tokenId: 't1',
      workspaceId: testWorkspace,
      agent: 'a',
      scopes: ['fs:read'],
      createdAtMs: 1,
      expiresAtMs: 100,
      revokedAtMs: null,
      deletesPerMinute: 3,
      lastUsedAtMs: null,
      forkId: null,
      userId: null,
    };
    await store.tokens.insert(token);
    await store.tokens.insert({ ...token, tokenId: 't2', createdAtMs: 2 });
    expect((await store.tokens.list(testWorkspace)).map((row) => row.tokenId)).toEqual(['t2', 't1']);
    expect(await store.tokens.revoke({ workspaceId: 'rw_other', tokenId: 't1', atMs: 5 })).toBe(false);
    expect(await store.tokens.revoke({ workspaceId: testWorkspace, tokenId: 't1', atMs: 5 })).toBe(true);
    expect(await store.tokens.revoke({ workspaceId: testWorkspace, tokenId: 't1', atMs: 9 })).toBe(true);
    expect(await store.tokens.get('t1')).toEqual({ ...token, revokedAtMs: 5 });
    expect([await store.tokens.revokedIds(50), await store.tokens.revokedIds(100)]).toEqual([['t1'], []]);
    await store.tokens.noteUse({ tokenId: 't2', atMs: 8 });
    await store.tokens.noteUse({ tokenId: 't2', atMs: 7 });
    await store.tokens.noteUse({ tokenId: 'unknown', atMs: 9 });
    expect(await store.tokens.get('t2')).toMatchObject({ lastUsedAtMs: 8 });
  });

  it('of workspaces: an id is taken once, also by a deleted one', async () => {
    const { store, put } = await openTestStore();
    await put('/a');
    expect(await store.workspaces.create({ workspaceId: testWorkspace, name: 'again', createdAtMs: 1 })).toBe(
      false,
    );
    await store.workspaces.rename({ workspaceId: testWorkspace, name: 'New name' });
    await store.workspaces.setDeleted({ workspaceId: testWorkspace, deletedAtMs: 5 });
    expect(await store.workspaces.create({ workspaceId: testWorkspace, name: 'again', createdAtMs: 1 })).toBe(
      false,
    );
    expect(await store.workspaces.list({ includeDeleted: false })).toEqual([]);
    expect(await store.workspaces.list({ includeDeleted: true })).toMatchObject([
      { name: 'New name', deletedAtMs: 5, files: 1 },
    ]);
    expect(await store.workspaces.setDeleted({ workspaceId: 'rw_unknown1', deletedAtMs: 5 })).toBe(false);
  });
});

describe('the preconditions of a delete', () => {
  it('hold in the store as they do in the decision', async () => {
    const { put, remove } = await openTestStore();
    await put('/a');
    expect(await remove('/a', { kind: 'absent' })).toMatchObject([{ code: 'revision_conflict' }]);
    expect(await remove('/b', any)).toMatchObject([{ code: 'not_found' }]);
    expect(await remove('/a', { kind: 'revision', revision: 'rev_1' })).toMatchObject([
      { ok: true, revision: 2 },
    ]);
  });
});

describe('a content as text', () => {
  it('is what Node decodes of its bytes, whatever they are and wherever they lie', async () => {
    const { store, put } = await openTestStore();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.string({ unit: 'binary', maxLength: 64 }).map((text) => Buffer.from(text)),
      fc.constant(Buffer.from('\ufeffbyte order mark, then \0 and \ud83d\ude00')),
      // Lies in a file of its own.
      fc.constant(Buffer.from('\u00e4\0'.repeat(200_000))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        await put('/a', content);
        const entry = await store.files.get(testWorkspace, '/a');
        if (entry?.type !== 'file') throw new Error('no file was written');
        const text = Buffer.from(content).toString('utf8');
        expect(await store.files.readText(entry.hash)).toBe(text);
        // What lies in a file of its own does not come along.
        const small = content.length < 1024 ? text : null;
        expect(await store.files.getCheckedText(testWorkspace, '/a', one)).toMatchObject({
          allowed: true,
          text: small,
        });
      }),
      { numRuns: 50 },
    );
    expect(await store.files.readText('00'.repeat(32))).toBeNull();
  });
});
