import { describe, expect, it } from 'vitest';
import type { AccessSubject } from '../../server/core/entry.ts';
import { StoreUnavailableError } from '../../server/store/port/errors.ts';
import { SharedChangeCounters } from '../../server/store/writer/change-counters.ts';
import { Writer } from '../../server/store/writer/writer.ts';
import { any, dayMs, openTestStore, testWorkspace } from '../support/store.ts';

const someone: AccessSubject = { workspaceId: testWorkspace, agent: 'one', scopes: [] };

describe('changing files', () => {
  it('stores content, metadata, history, event and operation as one', async () => {
    const { store, put, textOf } = await openTestStore();
    const revision = await put('/docs/a.md', 'hello', {
      semantics: { properties: { b: '2', a: '1' }, comments: ['c'] },
      contentType: 'text/markdown',
      providerObjectId: 'obj',
    });
    expect(await textOf('/docs/a.md')).toBe('hello');
    expect(await store.files.get(testWorkspace, '/docs/a.md')).toMatchObject({
      type: 'file',
      revision,
      sizeBytes: 5,
      contentType: 'text/markdown',
      provider: 'docs',
      providerObjectId: 'obj',
      semantics: { properties: { a: '1', b: '2' }, comments: ['c'] },
    });
    expect(await store.files.get(testWorkspace, '/docs')).toMatchObject({ type: 'dir', files: 1 });
    expect(await store.files.history(testWorkspace, '/docs/a.md', 10, null)).toMatchObject([
      { revision, action: 'write', actor: { kind: 'token', name: 'tester', tokenId: 'tok_1' }, opId: 'op_1' },
    ]);
    expect(await store.operations.get(testWorkspace, 'op_1')).toMatchObject({
      status: 'succeeded',
      revision,
    });
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('runs the changes of a request in order, each seeing what its predecessor stored', async () => {
    const { change, write } = await openTestStore();
    const results = await change([
      await write('/a', 'file'),
      { kind: 'delete_file', path: '/a', precondition: { kind: 'revision', revision: 'rev_1' } },
      await write('/a/b', 'below'),
      { kind: 'delete_file', path: '/a/b', precondition: any },
      await write('/a', 'file again'),
      await write('/a/c', 'refused'),
    ]);
    expect(results.map((result) => (result.ok ? result.revision : result.code))).toEqual([
      1,
      2,
      3,
      4,
      5,
      'path_conflict',
    ]);
  });

  it('turns a directory into a file and a file into a directory within one request', async () => {
    const { store, put, change, write } = await openTestStore();
    await put('/x/deep/a');
    await put('/y');
    const results = await change(
      [
        { kind: 'delete_file', path: '/x/deep/a', precondition: any },
        await write('/x', 'now a file'),
        { kind: 'delete_file', path: '/y', precondition: any },
        await write('/y/a', 'now below'),
      ],
      { atomic: true },
    );
    expect(results.every((result) => result.ok)).toBe(true);
    expect((await store.files.list(testWorkspace, '/', null, 10)).map((entry) => entry.path)).toEqual([
      '/x',
      '/y/a',
    ]);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('refuses each change by itself, or all of them when the request is atomic', async () => {
    const { store, put, change, write } = await openTestStore();
    await put('/taken');
    const changes = [
      await write('/new', '1'),
      await write('/taken', '2', { precondition: { kind: 'absent' } }),
    ];
    const atomic = await change(changes, { atomic: true });
    expect(atomic).toMatchObject([
      { ok: false, code: 'not_applied', path: '/new' },
      { ok: false, code: 'revision_conflict', currentRevision: 'rev_1' },
    ]);
    expect(await store.files.get(testWorkspace, '/new')).toBeNull();
    expect((await store.events.range(testWorkspace)).last).toBe(1);
    const single = await change(changes);
    expect(single).toMatchObject([{ ok: true, revision: 2 }, { ok: false }]);
  });

  it('answers a repeated content identity with the earlier result until its time is over', async () => {
    const { store, clock, change, write } = await openTestStore();
    const identity = { contentIdentity: { kind: 'mount-command', key: 'k1' } };
    const [first] = await change([await write('/a', 'one', identity)]);
    const [again] = await change([
      await write('/a', 'one', { ...identity, precondition: { kind: 'absent' } }),
    ]);
    expect(again).toEqual({ ...first, repeated: true });
    expect((await store.events.range(testWorkspace)).last).toBe(1);
    clock.now += 8 * dayMs;
    const [later] = await change([await write('/a', 'two', identity)]);
    expect(later).toMatchObject({ ok: true, repeated: false, revision: 2 });
  });

  it('moves a file with its metadata and no new content, and its history can be followed', async () => {
    const { store, put, change, textOf } = await openTestStore();
    await put('/a/one.md', 'v1');
    await put('/a/one.md', 'v2', { semantics: { relations: ['r'] } });
    const [moved] = await change([
      { kind: 'move_file', from: '/a/one.md', to: '/b/two.md', precondition: any },
    ]);
    expect(moved).toMatchObject({ ok: true, path: '/b/two.md', revision: 4 });
    expect(await store.files.get(testWorkspace, '/a')).toBeNull();
    expect(await textOf('/b/two.md')).toBe('v2');
    const [here] = await store.files.history(testWorkspace, '/b/two.md', 10, null);
    const before = await store.files.history(testWorkspace, here?.movedFrom ?? '', 10, here?.revision ?? 0);
    expect(before.map(({ revision, action }) => [revision, action])).toEqual([
      [3, 'delete'],
      [2, 'write'],
      [1, 'write'],
    ]);
    const filter = { path: '/', relation: 'r', properties: {} };
    const found = await store.files.query(testWorkspace, filter, {
      afterPath: null,
      limit: 10,
      access: null,
    });
    expect(found?.items.map((item) => item.entry.path)).toEqual(['/b/two.md']);
    const old = before.at(-1)?.hash ?? '';
    expect(await store.files.isKnownContent(testWorkspace, '/b/two.md', old)).toBe(true);
    expect(await store.files.isKnownContent(testWorkspace, '/elsewhere', old)).toBe(false);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('refuses a workspace that is unknown or deleted, and takes it again once it is restored', async () => {
    const { store, clock, write, change } = await openTestStore();
    const changes = [await write('/a', '1')];
    expect(await change(changes, { workspaceId: 'rw_unknown1' })).toMatchObject([
      { code: 'workspace_not_found' },
    ]);
    await store.workspaces.setDeleted({ workspaceId: testWorkspace, deletedAtMs: clock.now });
    expect(await change(changes)).toMatchObject([{ code: 'workspace_not_found' }]);
    await store.workspaces.setDeleted({ workspaceId: testWorkspace, deletedAtMs: null });
    expect(await change(changes)).toMatchObject([{ ok: true }]);
  });

  it('applies access rules of markers and files', async () => {
    const { put, change, write } = await openTestStore();
    await put('/closed/.relayfile.acl', '{}', { semantics: { permissions: ['agent:two'] } });
    await put('/closed/a');
    await put('/open/own', 'x', { semantics: { permissions: ['deny:agent:one'] } });
    const results = await change(
      [await write('/closed/b', '1'), await write('/open/own', '2'), await write('/open/other', '3')],
      { access: someone },
    );
    expect(results.map((result) => (result.ok ? 'ok' : result.code))).toEqual([
      'forbidden',
      'forbidden',
      'ok',
    ]);
  });

  it('keeps a restarted store going where it stopped: numbers never come again, even after deletions', async () => {
    const first = await openTestStore();
    await first.put('/a');
    await first.remove('/a');
    await first.store.maintenance.applyRetention(first.clock.now + 400 * dayMs);
    await first.store.close();
    const second = await openTestStore({ dataDir: first.dataDir });
    expect(await second.put('/b')).toBe(3);
    expect(await second.store.events.range(testWorkspace)).toMatchObject({ last: 3 });
    expect(await second.store.operations.get(testWorkspace, 'op_3')).toMatchObject({ path: '/b' });
  });
});

describe('many callers at once', () => {
  it('get numbers in the order of commits, without a gap, and are told of them after', async () => {
    const { store, change, write } = await openTestStore();
    const told: number[] = [];
    store.onCommit((commit) => told.push(commit.workspaces.get(testWorkspace) ?? 0));
    const results = await Promise.all(
      Array.from(
        { length: 200 },
        async (_, index) => await change([await write(`/f${index % 50}`, `${index}`)]),
      ),
    );
    const revisions = results.flat().map((result) => (result.ok ? result.revision : 0));
    expect(revisions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(200);
    const page = await store.events.list(testWorkspace, {
      direction: 'asc',
      from: null,
      limit: 1000,
      pathPrefix: null,
      provider: null,
      access: null,
    });
    expect(page.events.map((event) => event.seq)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    expect(page.events.map((event) => event.revision)).toEqual(page.events.map((event) => event.seq));
  });

  it('share a group without sharing a failure', async () => {
    const { store, change, write } = await openTestStore();
    const before = await write('/before', '1');
    const broken = await write('/broken', '2', {
      content: { hash: 'f'.repeat(64), sizeBytes: 9, staged: true },
    });
    const after = await write('/after', '3');
    const outcomes = await Promise.allSettled([change([before]), change([before, broken]), change([after])]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(
      (await store.files.list(testWorkspace, '/', null, 10)).map((entry) => [entry.path, entry.revision]),
    ).toEqual([
      ['/after', 2],
      ['/before', 1],
    ]);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });
});

describe('when the storage refuses', () => {
  it('a full disk fails the whole group, applies nothing, and the store goes on when there is room', async () => {
    const { store, change, write, put } = await openTestStore({ settings: { databasePagesMax: 60 } });
    await put('/small', 'kept');
    const before = await store.events.range(testWorkspace);
    const large = await Promise.all(
      Array.from({ length: 30 }, (_, index) => write(`/large${index}`, Buffer.alloc(60_000, index))),
    );
    const outcomes = await Promise.allSettled([change([await write('/beside', 'x')]), change(large)]);
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(StoreUnavailableError);
    }
    expect(await store.events.range(testWorkspace)).toEqual(before);
    expect((await store.files.list(testWorkspace, '/', null, 10)).map((entry) => entry.path)).toEqual([
      '/small',
    ]);
    expect(await put('/next', 'fits')).toBe(2);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('a writer that dies fails what waits and all that comes, and says so', async () => {
    const messages: string[] = [];
    const logger = {
      info: () => undefined,
      warn: () => undefined,
      error: (_details: object, message: string) => void messages.push(message),
    };
    const { memory: changes } = new SharedChangeCounters();
    const settings = { dataDir: '/nowhere', externalWriteback: 'auto' as const, changes, slowMs: 1000 };
    const script = new URL('../support/crashing-writer.ts', import.meta.url);
    const writer = await Writer.start({ script, workerData: settings }, logger, () => undefined);
    expect(writer.isAlive).toBe(true);
    const waiting = writer.send('clear_base', { mirrorId: 'm' });
    await expect(waiting).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(writer.send('clear_base', { mirrorId: 'm' })).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(writer.isAlive).toBe(false);
    expect(messages).toContain('the store writer ended with commands waiting');
    await writer.close();
  });
});
