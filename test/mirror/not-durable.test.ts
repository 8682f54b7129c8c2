import { describe, expect, it, vi } from 'vitest';
import { nodeFileSystem } from '../../server/disk/port/node-file-system.ts';
import { diskError, engineFolder, faultyFileSystem, onFaultyDisk } from '../support/engine-folder.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

/** A disk that refuses to make the names in the root durable, as often as it is told to. */
function whoseRootRefusesToSync(rig: MirrorHarness, refuses: () => boolean): ReturnType<typeof onFaultyDisk> {
  return onFaultyDisk({
    syncDirectory: (directory) => {
      if (directory === rig.root && refuses()) throw diskError('EIO');
      nodeFileSystem.syncDirectory(directory);
    },
  });
}

describe('what the disk does not make durable', () => {
  it('lists a version that stepped aside when the disk could not make that durable', async () => {
    let refusals = 0;
    const rig = await startMirrorHarness();
    rig.write('a', 'known');
    await rig.mirror();
    await rig.restart(whoseRootRefusesToSync(rig, () => refusals-- > 0));
    await rig.settle();
    refusals = 1;
    rig.write('a', 'mine');
    await rig.put('/a', 'theirs');
    await waitFor('both versions', async () => Object.keys(await rig.workspace()).length === 2);
    const view = await rig.settle();
    expect(view.problemList).toMatchObject([{ kind: 'conflict', path: '/a' }]);
    // It is durable by now; that a temporary file could be left is all that the next start has to know.
    expect(await rig.store.mirrors.openIntents(rig.mirrorId)).toMatchObject([{ action: 'put', hash: null }]);
    await rig.restart();
    expect((await rig.settle()).conflicts).toBe(1);
    expect(await rig.store.mirrors.openIntents(rig.mirrorId)).toEqual([]);
    expect(Object.values(await rig.both()).sort()).toEqual(['mine', 'theirs']);
  });

  it('goes on saying so while the disk refuses to make a file durable', async () => {
    let refuses = false;
    const rig = await startMirrorHarness();
    rig.write('a', 'known');
    await rig.mirror();
    await rig.restart(whoseRootRefusesToSync(rig, () => refuses));
    await rig.settle();
    refuses = true;
    const startMs = Date.now();
    await rig.put('/a', 'theirs');
    const outlived = async () => {
      const { problemList, state } = await rig.view();
      const [problem] = problemList;
      return state === 'idle' && problem?.kind === 'not_durable' && problem.path === '/a' ? problem : null;
    };
    const { retryAt } = await waitFor('the problem to outlive its first retry', outlived);
    expect(Date.parse(retryAt ?? '')).toBeGreaterThan(startMs);
    expect(await rig.manager.pathStates(rig.workspaceId, ['/a'])).toMatchObject([
      [
        {
          state: 'refused',
          why: expect.stringContaining('sync it to storage'),
          retryAtMs: expect.any(Number),
        },
      ],
    ]);
    await waitFor('the next try', async () => {
      const next = (await outlived())?.retryAt;
      return next != null && Date.parse(next) > Date.parse(retryAt ?? '');
    });
    refuses = false;
    expect((await rig.settle()).problems).toBe(0);
    expect(await rig.both()).toEqual({ '/a': 'theirs' });
  });

  describe('what the disk made durable only later, deleted in the workspace meanwhile,', () => {
    /** `/d/b` came from the workspace and is not durable; `disk` is to be mended. */
    async function notDurable() {
      const disk = { refuses: false, hides: false };
      const rig = await startMirrorHarness();
      rig.write('a', 'known');
      await rig.mirror();
      const fs = faultyFileSystem({
        syncDirectory: (directory) => {
          if (directory === rig.at('d') && disk.refuses) throw diskError('ENOSPC');
          nodeFileSystem.syncDirectory(directory);
        },
        lstat: (file) => {
          if (file === rig.at('d/b') && disk.hides) throw diskError('EACCES');
          return nodeFileSystem.lstat(file);
        },
      });
      await rig.restart({ openFolder: () => engineFolder(fs) });
      await rig.settle();
      disk.refuses = true;
      await rig.put('/d/b', 'theirs');
      await waitFor('the file that is not durable', async () => {
        const { problemList, state } = await rig.view();
        return state === 'idle' && problemList[0]?.kind === 'not_durable' && rig.read('d/b') === 'theirs';
      });
      return { rig, disk };
    }

    it('is known for its own, and goes', async () => {
      const { rig, disk } = await notDurable();
      expect(await rig.store.mirrors.openIntents(rig.mirrorId)).toMatchObject([
        { action: 'put', path: '/d/b' },
      ]);
      await rig.delete('/d/b');
      disk.refuses = false;
      await rig.settle();
      expect(await rig.both()).toEqual({ '/a': 'known' });
      expect((await rig.view()).problems).toBe(0);
    });

    it('goes, too, when the disk does not show it at the first look', async () => {
      const { rig, disk } = await notDurable();
      await rig.delete('/d/b');
      disk.hides = true;
      disk.refuses = false;
      await rig.settle();
      disk.hides = false;
      await rig.settle();
      expect(await rig.both()).toEqual({ '/a': 'known' });
    });
  });
});
