import { userInfo } from 'node:os';
import { expect, it, vi } from 'vitest';
import { nodeFileSystem } from '../../server/disk/port/node-file-system.ts';
import { diskError, engineFolder, faultyFileSystem } from '../support/engine-folder.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

const by = {
  actor: { kind: 'token', name: 'person', tokenId: null },
  access: null,
  correlationId: 'choice',
} as const;

/** A conflict of `/plan.md`: the folder says "folder", the workspace says "workspace". */
async function inConflict(): Promise<{ rig: MirrorHarness; conflictId: string; copyPath: string }> {
  const rig = await startMirrorHarness();
  rig.write('plan.md', 'base');
  await rig.mirror();
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  rig.write('plan.md', 'folder');
  await rig.put('/plan.md', 'workspace');
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  await rig.settle();
  const [conflict] = await rig.conflicts.list(rig.workspaceId);
  if (conflict === undefined) throw new Error('there is no conflict');
  return { rig, conflictId: conflict.row.conflictId, copyPath: conflict.row.copyPath };
}

it('shows both versions and what they came from', async () => {
  const { rig, conflictId } = await inConflict();
  const found = await rig.conflicts.get(rig.workspaceId, conflictId);
  const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString();
  expect(found?.kind).toBe('both_edited');
  expect([found?.base, found?.folder, found?.workspace].map((version) => text(version?.bytes))).toEqual([
    'base',
    'folder',
    'workspace',
  ]);
  expect(found?.folder?.by).toMatchObject({ kind: 'mirror', name: userInfo().username });
});

it.each([
  { keep: 'folder', left: { '/plan.md': 'folder' } },
  { keep: 'workspace', left: { '/plan.md': 'workspace' } },
] as const)(
  'the choice "$keep" is then in the folder, too, and the other version in history',
  async ({ keep, left }) => {
    const { rig, conflictId, copyPath } = await inConflict();
    const resolved = await rig.conflicts.resolve(rig.workspaceId, conflictId, { keep }, by);
    expect(resolved.kind).toBe('resolved');
    await rig.settle();
    expect(await rig.both()).toEqual(left);
    expect((await rig.view()).conflicts).toBe(0);
    const kept = await Promise.all(
      ['/plan.md', copyPath].map((path) => rig.workspaces.history(rig.workspaceId, path, 10, null)),
    );
    const texts = await Promise.all(
      kept.flat().map(async ({ hash }) => (hash === null ? null : await rig.workspaces.readContent(hash))),
    );
    expect(texts.map((bytes) => Buffer.from(bytes ?? []).toString())).toEqual(
      expect.arrayContaining(['folder', 'workspace']),
    );
  },
);

it('keeping both ends the conflict and leaves two ordinary files', async () => {
  const { rig, conflictId, copyPath } = await inConflict();
  await rig.conflicts.resolve(rig.workspaceId, conflictId, { keep: 'both' }, by);
  await rig.settle();
  expect(await rig.both()).toEqual({ '/plan.md': 'workspace', [copyPath]: 'folder' });
  expect((await rig.view()).conflicts).toBe(0);
});

it('an edit of the copy that has not reached the workspace yet is not lost by a choice against it', async () => {
  const { rig, conflictId, copyPath } = await inConflict();
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  rig.write(copyPath.slice(1), 'folder, edited once more');
  expect((await rig.view()).conflicts).toBe(1);
  await rig.conflicts.resolve(rig.workspaceId, conflictId, { keep: 'workspace' }, by);
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  await rig.settle();
  expect(Object.values(await rig.both())).toContain('folder, edited once more');
});

it('deleting the copy in the workspace resolves it, and the path keeps its version', async () => {
  const { rig, copyPath } = await inConflict();
  await rig.delete(copyPath);
  expect((await rig.settle()).conflicts).toBe(0);
  expect(await rig.both()).toEqual({ '/plan.md': 'workspace' });
});

it('deleting the path leaves the copy, which can still be given the path', async () => {
  const { rig, conflictId } = await inConflict();
  rig.remove('plan.md');
  await rig.settle();
  expect(Object.values(await rig.both())).toEqual(['folder']);
  const resolved = await rig.conflicts.resolve(rig.workspaceId, conflictId, { keep: 'folder' }, by);
  expect(resolved.kind).toBe('resolved');
  expect((await rig.settle()).conflicts).toBe(0);
  expect(await rig.both()).toEqual({ '/plan.md': 'folder' });
});

it('deleting the copy in the folder resolves it', async () => {
  const { rig, copyPath } = await inConflict();
  rig.remove(copyPath.slice(1));
  await rig.settle();
  await waitFor('the conflict to be over', async () => (await rig.view()).conflicts === 0);
  expect(await rig.conflicts.list(rig.workspaceId)).toEqual([]);
});

it('a folder and a file of one name are listed as such, and can be kept both or given up', async () => {
  const rig = await startMirrorHarness();
  await rig.put('/name', 'a file there');
  rig.write('name/inside', 'a folder here');
  await rig.mirror();
  const [conflict] = await rig.conflicts.list(rig.workspaceId);
  expect(conflict).toMatchObject({ kind: 'file_and_folder', choices: ['workspace', 'both'] });
  const id = conflict?.row.conflictId ?? '';
  const unfit = await rig.conflicts.resolve(rig.workspaceId, id, { keep: 'folder' }, by);
  expect(unfit.kind).toBe('unfit');
  await rig.conflicts.resolve(rig.workspaceId, id, { keep: 'workspace' }, by);
  await rig.settle();
  expect(await rig.both()).toEqual({ '/name': 'a file there' });
});

it('is not listed once more after a restart when both were kept while the disk refused to make it durable', async () => {
  let refuses = false;
  const fs = faultyFileSystem({
    syncDirectory: (directory) => {
      if (refuses && directory === rig.root) throw diskError('EIO');
      nodeFileSystem.syncDirectory(directory);
    },
  });
  const openFolder = () => engineFolder(fs);
  const rig: MirrorHarness = await startMirrorHarness({ openFolder });
  rig.write('plan.md', 'base');
  await rig.mirror();
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  rig.write('plan.md', 'folder');
  await rig.put('/plan.md', 'workspace');
  refuses = true;
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  const conflict = await waitFor('the conflict', async () => (await rig.conflicts.list(rig.workspaceId))[0]);
  const { conflictId } = conflict.row;
  expect((await rig.store.mirrors.openIntents(rig.mirrorId)).map(({ action }) => action)).toContain('move');
  await rig.conflicts.resolve(rig.workspaceId, conflictId, { keep: 'both' }, by);
  await rig.stop();
  refuses = false;
  await rig.start({ openFolder });
  await rig.settle();
  expect(await rig.conflicts.list(rig.workspaceId)).toEqual([]);
  expect(Object.values(await rig.both()).sort()).toEqual(['folder', 'workspace']);
});
