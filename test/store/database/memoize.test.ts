// What changes of files ask again and again is remembered between them; whatever may answer it anew must be seen at once.
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { databaseFileName, openForReading, openForWriting } from '../../../server/store/database/sqlite.ts';
import type { ProviderRow } from '../../../server/store/port/store.ts';
import { openTestStore, testWorkspace } from '../../support/store.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const provider: ProviderRow = {
  workspaceId: testWorkspace,
  name: 'tracker',
  kind: 'external',
  url: null,
  refreshUrl: null,
  plainHttp: false,
  privateAddresses: false,
  timeoutMs: 1_000,
  paused: false,
  lastSuccessAtMs: null,
  lastFailureAtMs: null,
  lastError: null,
  refresh: null,
  nextRefreshes: [],
  createdAtMs: 1,
  updatedAtMs: 1,
};
const asOne = { access: { workspaceId: testWorkspace, agent: 'one', scopes: ['fs:read', 'fs:write'] } };
const onlyTwo = { semantics: { permissions: ['agent:two'] } };

describe('a change right after another sees', () => {
  it('that a provider has come and gone, also within one group of commands', async () => {
    const { store, put, write, change } = await openTestStore();
    const statusAfter = async () => {
      const [result] = await change([await write('/tracker/item', `${Math.random()}`)]);
      if (!result?.ok || result.opId === null) throw new Error('no operation');
      return (await store.operations.get(testWorkspace, result.opId))?.status;
    };
    await put('/tracker/first');
    expect(await statusAfter()).toBe('succeeded');
    const item = await write('/tracker/together', 't');
    const [, , after] = await Promise.all([change([item]), store.providers.insert(provider), change([item])]);
    const [together] = after;
    if (!together?.ok || together.opId === null) throw new Error('no operation');
    expect((await store.operations.get(testWorkspace, together.opId))?.status).toBe('pending');
    expect(await statusAfter()).toBe('pending');
    await store.providers.remove({
      workspaceId: testWorkspace,
      name: 'tracker',
      atMs: 2,
      correlationId: 'c',
    });
    expect(await statusAfter()).toBe('succeeded');
  });

  it('that its workspace was deleted and restored', async () => {
    const { store, put, write, change } = await openTestStore();
    await put('/a');
    const item = await write('/b', 'b');
    const [, refused] = await Promise.all([
      store.workspaces.setDeleted({ workspaceId: testWorkspace, deletedAtMs: 5 }),
      change([item]),
    ]);
    expect(refused).toMatchObject([{ ok: false }]);
    await store.workspaces.setDeleted({ workspaceId: testWorkspace, deletedAtMs: null });
    expect(await change([item])).toMatchObject([{ ok: true }]);
  });

  it('the first rules of a directory, and that they were taken back with what came with them', async () => {
    const { put, write, change } = await openTestStore();
    await put('/closed/file');
    const rules = await write('/closed/.relayfile.acl', '{}', onlyTwo);
    const item = await write('/closed/file', 'new');
    const impossible = { ...item, precondition: { kind: 'revision', revision: 'rev_999' } } as const;
    const [first, takenBack, second, ruled, third] = await Promise.all([
      change([item], asOne),
      change([rules, impossible], { atomic: true }),
      change([item], asOne),
      change([rules]),
      change([item], asOne),
    ]);
    expect(takenBack.map(({ ok }) => ok)).toEqual([false, false]);
    expect([first, second, ruled].map(([one]) => one?.ok)).toEqual([true, true, true]);
    expect(third).toMatchObject([{ ok: false, code: 'forbidden' }]);
  });
});

it('a connection that only reads asks each time, since it does not see who writes', () => {
  const file = path.join(tempFolder(), databaseFileName);
  const writing = openForWriting(file);
  writing.exec('CREATE TABLE t (a INTEGER) STRICT');
  const reading = openForReading(file);
  const look = 'SELECT a FROM t WHERE a > ? LIMIT 1';
  expect([reading.memoize(look, 0), writing.memoize(look, 0)]).toEqual([undefined, undefined]);
  writing.run('INSERT INTO t VALUES (1)');
  expect([reading.memoize(look, 0), writing.memoize(look, 0)]).toEqual([{ a: 1 }, undefined]);
  writing.forget();
  expect(writing.memoize(look, 0)).toEqual({ a: 1 });
  reading.close();
  writing.close();
});
