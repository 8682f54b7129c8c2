import { describe, expect, it } from 'vitest';
import type { AccessSubject } from '../../server/core/entry.ts';
import type { RestoreTarget } from '../../server/store/port/store.ts';
import { any, dayMs, openTestStore, testWorkspace } from '../support/store.ts';

async function openRestoring(...options: Parameters<typeof openTestStore>) {
  const given = await openTestStore(...options);
  const restore = (target: RestoreTarget, more: { access?: AccessSubject | null; dryRun?: boolean } = {}) =>
    given.store.content.restore({
      workspaceId: testWorkspace,
      target,
      dryRun: false,
      actor: { kind: 'token', name: 'tester', tokenId: 'tok_1' },
      access: null,
      correlationId: 'corr-restore',
      ...more,
    });
  return { ...given, restore };
}

const revision = (path: string, number: number): RestoreTarget => ({
  kind: 'revision',
  path,
  revision: number,
});
const batch = (number: number, ifChanged: 'refuse' | 'keep' = 'refuse'): RestoreTarget => ({
  kind: 'batch',
  path: '/',
  batch: number,
  ifChanged,
});

describe('a restored file', () => {
  it('comes back with content and metadata as a new revision, with event and operation, and says from where', async () => {
    const { store, put, restore, textOf } = await openRestoring();
    const first = await put('/docs/a', 'one', {
      semantics: { comments: ['old'] },
      contentType: 'text/x-old',
    });
    await put('/docs/a', 'two', { semantics: { relations: ['new'] } });
    expect(await restore(revision('/docs/a', first))).toMatchObject({
      ok: true,
      batch: 3,
      updated: 1,
      files: [{ path: '/docs/a', action: 'update', before: 2, from: 1, revision: 3, opId: 'op_3' }],
    });
    expect(await textOf('/docs/a')).toBe('one');
    expect(await store.files.get(testWorkspace, '/docs/a')).toMatchObject({
      revision: 3,
      contentType: 'text/x-old',
      semantics: { comments: ['old'] },
    });
    const [newest] = await store.files.history(testWorkspace, '/docs/a', 1, null);
    expect(newest).toMatchObject({ action: 'write', restoredFrom: 1, correlationId: 'corr-restore' });
    expect(await store.operations.get(testWorkspace, 'op_3')).toMatchObject({ action: 'file_upsert' });
  });

  it('may have had another name then, or be gone now', async () => {
    const { put, change, remove, restore, textOf } = await openRestoring();
    const first = await put('/old', 'as it was');
    await change([{ kind: 'move_file', from: '/old', to: '/new', precondition: any }]);
    await put('/new', 'later');
    expect(await restore(revision('/new', first))).toMatchObject({ ok: true, updated: 1 });
    expect(await textOf('/new')).toBe('as it was');
    expect(await textOf('/old')).toBeNull();
    await remove('/new');
    expect(await restore(revision('/new', first))).toMatchObject({ ok: true, created: 1 });
    expect(await textOf('/new')).toBe('as it was');
  });

  it('that is as it was is left alone, and a dry run changes nothing', async () => {
    const { store, put, restore, textOf } = await openRestoring();
    const first = await put('/a', 'one');
    expect(await restore(revision('/a', first))).toMatchObject({ ok: true, batch: null, files: [] });
    await put('/a', 'two');
    expect(await restore(revision('/a', first), { dryRun: true })).toMatchObject({
      ok: true,
      batch: null,
      files: [{ action: 'update', revision: null, opId: null }],
    });
    expect(await textOf('/a')).toBe('two');
    expect(await store.files.lastRevision(testWorkspace)).toBe(2);
  });

  it('brings the rules of a marker file back into force', async () => {
    const { store, put, restore } = await openRestoring();
    const marker = JSON.stringify({ semantics: { permissions: ['deny:agent:two'] } });
    await put('/d/x');
    const first = await put('/d/.relayfile.acl', marker, { aclText: marker });
    await put('/d/.relayfile.acl', '', { aclText: '' });
    const subject = { workspaceId: testWorkspace, agent: 'two', scopes: ['fs:read', 'fs:write'] };
    expect((await store.files.getChecked(testWorkspace, '/d/x', subject)).allowed).toBe(true);
    expect(await restore(revision('/d/.relayfile.acl', first))).toMatchObject({ ok: true });
    expect((await store.files.getChecked(testWorkspace, '/d/x', subject)).allowed).toBe(false);
  });
});

describe('a restored moment', () => {
  it('beside many changes elsewhere comes back as it was, with what is gone and without what is new', async () => {
    const { put, remove, restore, textOf } = await openRestoring();
    await put('/small/changed', 'one');
    const then = await put('/small/gone', 'was there');
    await put('/small/changed', 'two');
    await remove('/small/gone');
    await put('/small/new', 'new');
    await put('/small-too/not below', 'one');
    for (let n = 0; n < 40; n += 1) await put('/elsewhere', `${n}`);
    expect(await restore(revision('/small', then))).toMatchObject({
      ok: true,
      created: 1,
      updated: 1,
      deleted: 1,
    });
    const now = ['/small/changed', '/small/gone', '/small/new', '/small-too/not below', '/elsewhere'];
    expect(await Promise.all(now.map(textOf))).toEqual(['one', 'was there', null, 'one', '39']);
  });

  it('puts files where directories are and the other way round', async () => {
    const { clock, put, remove, restore, textOf } = await openRestoring();
    await put('/a', 'file');
    await put('/b/c', 'below');
    const atMs = clock.now;
    clock.now += 10;
    await remove('/a');
    await put('/a/x', 'below now');
    await remove('/b/c');
    await put('/b', 'file now');
    expect(await restore({ kind: 'instant', path: '/', atMs })).toMatchObject({
      ok: true,
      created: 2,
      deleted: 2,
    });
    expect([await textOf('/a'), await textOf('/b/c'), await textOf('/a/x')]).toEqual(['file', 'below', null]);
  });

  it('that retention keeps whole is whole after a sweep; an older one is refused', async () => {
    const { clock, store, put, restore, textOf } = await openRestoring({
      settings: { historyRevisionsMin: 1 },
    });
    await put('/a', 'long ago');
    clock.now += 40 * dayMs;
    const atMs = clock.now;
    clock.now += dayMs;
    for (let n = 0; n < 5; n += 1) await put('/a', `young ${n}`);
    await store.maintenance.applyRetention(clock.now);
    expect(await restore({ kind: 'instant', path: '/', atMs: clock.now - 31 * dayMs })).toMatchObject({
      ok: false,
      code: 'not_kept',
      message: expect.stringMatching(
        /is complete since 20\S+Z\. Choose that time or a later one.*historyDays/,
      ),
    });
    expect(await restore({ kind: 'instant', path: '/', atMs })).toMatchObject({ ok: true, updated: 1 });
    expect(await textOf('/a')).toBe('long ago');
  });
});

describe('a reverted batch', () => {
  it('takes back what one request did, and only that', async () => {
    const { change, write, put, restore, textOf } = await openRestoring();
    await put('/a', 'before');
    await put('/gone', 'was here');
    const results = await change([
      await write('/a', 'after'),
      await write('/b', 'new'),
      { kind: 'delete_file', path: '/gone', precondition: any },
    ]);
    await put('/other', 'later');
    const [first] = results;
    expect(await restore(batch(first?.ok ? first.revision : 0))).toMatchObject({
      ok: true,
      created: 1,
      updated: 1,
      deleted: 1,
    });
    expect([await textOf('/a'), await textOf('/b'), await textOf('/gone'), await textOf('/other')]).toEqual([
      'before',
      null,
      'was here',
      'later',
    ]);
  });

  it('whose files were changed since is refused with their names, or keeps those', async () => {
    const { change, write, put, restore, textOf } = await openRestoring();
    await put('/a', 'before');
    await put('/b', 'before');
    await change([await write('/a', 'after'), await write('/b', 'after')]);
    await put('/b', 'since');
    expect(await restore(batch(3))).toMatchObject({ ok: false, code: 'changed', paths: ['/b'] });
    expect(await textOf('/a')).toBe('after');
    expect(await restore(batch(3, 'keep'))).toMatchObject({ ok: true, updated: 1, kept: ['/b'] });
    expect([await textOf('/a'), await textOf('/b')]).toEqual(['before', 'since']);
    expect(await restore(batch(999))).toMatchObject({ ok: false, code: 'not_found' });
  });
});

describe('what the rules hide', () => {
  const agent = (name: string, ...scopes: string[]): AccessSubject => ({
    workspaceId: testWorkspace,
    agent: name,
    scopes: scopes.length === 0 ? ['fs:read', 'fs:write'] : scopes,
  });

  it('from a token, now or then, is neither shown nor brought back', async () => {
    const { clock, store, put, remove, restore, textOf } = await openRestoring();
    const deny = { semantics: { permissions: ['deny:agent:two'] } };
    const marker = JSON.stringify(deny);
    await put('/d/a', 'open');
    clock.now += 10;
    await put('/d/.relayfile.acl', marker, { aclText: marker });
    await put('/d/a', 'secret');
    const atMs = clock.now;
    clock.now += 10;
    await remove('/d/.relayfile.acl');
    await put('/d/a', 'open again');
    await put('/hidden', 'x', deny);
    const history = (access: AccessSubject | null) =>
      store.files.historyPage(testWorkspace, {
        path: '/',
        what: { kind: 'below' },
        beforeRevision: null,
        limit: 100,
        access,
      });
    expect((await history(agent('two'))).rows.map((row) => row.revision)).toEqual([5, 1]);
    expect((await history(null)).rows).toHaveLength(6);
    const secret = await store.files.revision(testWorkspace, '/d/a', 3, agent('two'));
    expect(secret?.allowed).toBe(false);
    expect(await restore(revision('/d/a', 3), { access: agent('two') })).toMatchObject({ code: 'forbidden' });
    expect(await restore({ kind: 'instant', path: '/', atMs }, { access: agent('two') })).toMatchObject({
      ok: true,
      files: [],
    });
    expect(await textOf('/d/a')).toBe('open again');
    expect(await textOf('/hidden')).toBe('x');
  });

  it('by a narrow grant is left as it is', async () => {
    const { change, write, put, restore, textOf } = await openRestoring();
    await put('/mine/a', 'before');
    await put('/yours/a', 'before');
    await change([await write('/mine/a', 'after'), await write('/yours/a', 'after')]);
    const narrow = agent('one', 'relayfile:fs:read:/mine/**', 'relayfile:fs:write:/mine/**');
    expect(await restore(batch(3), { access: narrow })).toMatchObject({ ok: true, updated: 1 });
    expect([await textOf('/mine/a'), await textOf('/yours/a')]).toEqual(['before', 'after']);
  });
});
