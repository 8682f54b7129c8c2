import { describe, expect, it } from 'vitest';
import type { Semantics } from '../../server/contract/common.ts';
import { forkPathsMax } from '../../server/core/change/forks.ts';
import { restoreBackup } from '../../server/store/maintenance/backup.ts';
import { dayMs, openTestStore, type TestStore, testWorkspace } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';

const workspaceId = testWorkspace;
const actor = { kind: 'token', name: 'tester', tokenId: 'tok_tester' } as const;
const by = { workspaceId, actor, access: null, correlationId: 'corr' } as const;

async function makeFork(given: TestStore, forkId = 'fork_1', days = 7) {
  const made = await given.store.content.createFork({
    workspaceId,
    forkId,
    proposalId: forkId,
    createdBy: 'tester',
    creatorTokens: [actor.tokenId],
    expiresAtMs: given.clock.now + days * dayMs,
  });
  if (made.kind !== 'open') throw new Error(made.kind);
  return forkId;
}

async function stage(given: TestStore, forkId: string, path: string, text: string, semantics?: Semantics) {
  const change = await given.write(path, text, semantics === undefined ? {} : { semantics });
  return await given.store.content.changeFork({ ...by, forkId, changes: [change] });
}

async function textIn(given: TestStore, forkId: string, path: string): Promise<string | null> {
  const { entry } = await given.store.forks.getChecked(forkId, path, null);
  if (entry?.type !== 'file') return null;
  const bytes = await given.store.files.read(entry.hash);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
}

describe('retention', () => {
  it('it keeps what an open fork shows, however short history is kept, and lets it go with the fork', async () => {
    const given = await openTestStore({ settings: { historyDays: 1, historyRevisionsMin: 1 } });
    const { store, clock } = given;
    await given.put('/changed', 'then');
    await given.put('/gone', 'then');
    const forkId = await makeFork(given, 'fork_1', 20);
    clock.now += 1;
    for (let n = 0; n < 5; n += 1) await given.put('/changed', `now ${n}`);
    await given.remove('/gone');
    clock.now += 10 * dayMs;
    await store.maintenance.applyRetention(clock.now);
    expect(await textIn(given, forkId, '/changed')).toBe('then');
    expect(await textIn(given, forkId, '/gone')).toBe('then');
    clock.now += 11 * dayMs;
    await store.maintenance.applyRetention(clock.now);
    expect(await store.files.history(workspaceId, '/gone', 9, null)).toEqual([]);
    expect(await store.files.history(workspaceId, '/changed', 9, null)).toHaveLength(1);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('a deleted workspace takes its forks along', async () => {
    const given = await openTestStore();
    const { store, clock } = given;
    const forkId = await makeFork(given);
    await stage(given, forkId, '/large', 'x'.repeat(70_000));
    await store.workspaces.setDeleted({ workspaceId, deletedAtMs: clock.now });
    clock.now += 31 * dayMs;
    await store.maintenance.applyRetention(clock.now);
    expect(await store.workspaces.list({ includeDeleted: true })).toEqual([]);
    expect(await store.forks.find(workspaceId, forkId)).toBeNull();
    expect(await store.maintenance.integrityCheck()).toEqual([]);
    expect((await store.maintenance.applyRetention(clock.now)).blobs).toBe(0);
  });
});

it('a backup holds open forks with all that they have staged', async () => {
  const given = await openTestStore();
  await given.put('/live', 'live');
  const forkId = await makeFork(given);
  await stage(given, forkId, '/small', 'small');
  await stage(given, forkId, '/large', 'x'.repeat(70_000));
  const dir = tempFolder('mooring-backup');
  await given.store.maintenance.backup(dir);
  const dataDir = tempFolder('mooring-restored');
  await restoreBackup(dir, dataDir);
  const restored = await openTestStore({ dataDir, clock: given.clock });
  expect(await textIn(restored, forkId, '/small')).toBe('small');
  const committed = await restored.store.content.commitFork({ ...by, forkId });
  expect(committed).toMatchObject({ kind: 'committed', writes: 2, deletes: 0 });
  expect(await restored.textOf('/large')).toBe('x'.repeat(70_000));
  expect(await restored.store.maintenance.integrityCheck()).toEqual([]);
});

it('a fork that would hold more than it may takes nothing of the request', async () => {
  const given = await openTestStore();
  const forkId = await makeFork(given);
  const change = await given.write('/x', 'x');
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...change, path: `/f/${n}` }));
  const stageMany = async (paths: ReturnType<typeof many>) =>
    (await given.store.content.changeFork({ ...by, forkId, changes: paths })).kind;
  const all = many(forkPathsMax + 1);
  expect(await stageMany(all.slice(0, forkPathsMax - 1))).toBe('changed');
  // The first of the two has room.
  expect(await stageMany(all.slice(forkPathsMax - 1))).toBe('full');
  expect(await given.store.forks.counts(forkId, null)).toMatchObject({
    writes: forkPathsMax - 1,
    bytes: forkPathsMax - 1,
  });
  expect(await stageMany(all.slice(forkPathsMax - 1, forkPathsMax))).toBe('changed');
  expect(await given.store.content.commitFork({ ...by, forkId })).toMatchObject({ writes: forkPathsMax });
  expect(await given.store.maintenance.integrityCheck()).toEqual([]);
}, 120_000);

it('metadata that was dropped in the fork is dropped by its commit; a rule that comes with it does not refuse the rest', async () => {
  const given = await openTestStore();
  const { store } = given;
  await given.put('/a', 'a', { semantics: { properties: { k: 'v' } } });
  const forkId = await makeFork(given);
  const change = await given.write('/a', 'b');
  await store.content.changeFork({
    ...by,
    forkId,
    changes: [{ kind: 'delete_file', path: '/a', precondition: { kind: 'any' } }, change],
  });
  const rules = '{"semantics":{"permissions":["agent:nobody"]}}';
  await store.content.changeFork({
    ...by,
    forkId,
    changes: [await given.write('/.relayfile.acl', rules, { aclText: rules })],
  });
  const access = { workspaceId, agent: 'tester', scopes: ['fs:read', 'fs:write'] };
  expect(await store.content.commitFork({ ...by, forkId, access })).toMatchObject({
    kind: 'committed',
    writes: 2,
  });
  expect(await store.files.get(workspaceId, '/a')).toMatchObject({ semantics: {} });
  expect((await store.files.getChecked(workspaceId, '/a', access)).allowed).toBe(false);
});
