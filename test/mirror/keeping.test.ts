// What a mirror took away can be had back: the history of the workspace is its trash. And a store that takes no more of one
// file does not stop the others.
import { describe, expect, it, vi } from 'vitest';
import type { WorkspaceService } from '../../server/workspaces/service.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

async function restore(rig: MirrorHarness, path: string, revision: number): Promise<void> {
  const result = await rig.workspaces.restoreFiles({
    workspaceId: rig.workspaceId,
    target: { kind: 'revision', path, revision },
    dryRun: false,
    actor: { kind: 'token', name: 'person', tokenId: null },
    access: null,
    correlationId: 'restore',
  });
  if (!result.ok) throw new Error(JSON.stringify(result));
}

describe('history instead of a trash', () => {
  it('brings back into the folder what was deleted there, with its content', async () => {
    const rig = await startMirrorHarness();
    rig.write('d/a', 'content');
    rig.write('keep', 'k');
    await rig.mirror();
    rig.remove('d');
    await rig.settle();
    expect(await rig.both()).toEqual({ '/keep': 'k' });
    const [deleted, written] = await rig.workspaces.history(rig.workspaceId, '/d/a', 10, null);
    expect(deleted?.action).toBe('delete');
    await restore(rig, '/d/a', written?.revision ?? 0);
    await rig.settle();
    expect(await rig.both()).toEqual({ '/d/a': 'content', '/keep': 'k' });
  });

  it('brings back what the mirror replaced in the folder, even if nobody but the folder ever had it', async () => {
    const rig = await startMirrorHarness();
    rig.write('a', 'mine');
    rig.write('b', 'b');
    await rig.mirror();
    await rig.put('/a', 'theirs');
    await rig.settle();
    expect(rig.read('a')).toBe('theirs');
    await rig.delete('/b');
    await rig.settle();
    expect(rig.folder()).toEqual({ '/a': 'theirs' });
    const revisionOf = async (path: string) =>
      (await rig.workspaces.history(rig.workspaceId, path, 10, null)).at(-1)?.revision ?? 0;
    await restore(rig, '/a', await revisionOf('/a'));
    await restore(rig, '/b', await revisionOf('/b'));
    await rig.settle();
    expect(await rig.both()).toEqual({ '/a': 'mine', '/b': 'b' });
  });
});

describe('bytes that the history does not hold', () => {
  it('are kept beside, whatever the workspace does with their path', async () => {
    const rig = await startMirrorHarness({
      met: (workspaces) => ({ ...workspaces, isKnownContent: async () => false }),
    });
    rig.write('edited.txt', 'mine');
    rig.write('deleted.txt', 'mine, too');
    rig.write('keep', 'k');
    await rig.mirror();
    await rig.put('/edited.txt', 'theirs');
    await rig.delete('/deleted.txt');
    await rig.settle();
    const kept = Object.entries(await rig.both()).map(([name, content]) => [
      name.replace(/\(conflict .*\)/, '(conflict)'),
      content,
    ]);
    expect(Object.fromEntries(kept)).toEqual({
      '/edited.txt': 'theirs',
      '/edited (conflict).txt': 'mine',
      '/deleted (conflict).txt': 'mine, too',
      '/keep': 'k',
    });
  });
});

describe('a store that has no room for one file', () => {
  it('lists that one with its next step, takes the others, and takes it once there is room', async () => {
    let full = true;
    const met = (workspaces: WorkspaceService): WorkspaceService => ({
      ...workspaces,
      stage: async (bytes) => {
        if (full && bytes.length > 1000) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
        return await workspaces.stage(bytes);
      },
    });
    const rig = await startMirrorHarness({ met });
    rig.write('a-large', 'x'.repeat(5000));
    for (const name of ['b', 'c', 'd']) rig.write(name, name);
    await rig.manager.add(rig.workspaceId, rig.root);
    await waitFor('the small ones', async () => Object.keys(await rig.workspace()).length === 3);
    const view = await waitFor('the problem', async () => {
      const seen = await rig.view();
      return seen.problems === 1 && seen.state === 'idle' ? seen : null;
    });
    expect(view.problemList).toMatchObject([
      { kind: 'store_failed', path: '/a-large', next: expect.stringContaining('Make room') },
    ]);
    full = false;
    // Whoever resumes does not wait for the next try.
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await waitFor('the large one', async () => '/a-large' in (await rig.workspace()));
    await rig.settle();
    expect((await rig.view()).problems).toBe(0);
  });
});
