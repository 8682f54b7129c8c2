import { describe, expect, it, vi } from 'vitest';
import { nodeFileSystem } from '../../server/disk/port/node-file-system.ts';
import { diskError, onFaultyDisk } from '../support/engine-folder.ts';
import { startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

describe('a disk that refuses', () => {
  it('tries again what the disk refused, without stopping the rest', async () => {
    let full = true;
    const rig = await startMirrorHarness();
    await rig.restart(
      onFaultyDisk({
        write: (handle, bytes) => {
          if (full && bytes.length > 100) throw diskError('ENOSPC');
          nodeFileSystem.write(handle, bytes);
        },
      }),
    );
    await rig.put('/large', 'x'.repeat(200));
    await rig.put('/small', 's');
    const view = await rig.mirror();
    expect(rig.folder()).toEqual({ '/small': 's' });
    expect(view.problemList).toMatchObject([
      { kind: 'write_failed', path: '/large', next: 'Free space on the disk.' },
    ]);
    expect(view.problemList[0]?.retryAt).not.toBeNull();
    full = false;
    await waitFor('the next try', () => Object.keys(rig.folder()).length === 2);
    expect((await rig.settle()).problems).toBe(0);
  });

  it('keeps a conflict listed whose copy cannot be seen because its directory cannot be read', async () => {
    let refused = true;
    const rig = await startMirrorHarness();
    await rig.restart(
      onFaultyDisk({
        list: (directory) => {
          const names = nodeFileSystem.list(directory);
          const stepped = names.names.some((name) => name.includes('(conflict '));
          if (refused && stepped) throw diskError('EACCES');
          return names;
        },
      }),
    );
    rig.write('d/e/b', 'mine');
    await rig.put('/d/e', 'theirs');
    const view = await rig.mirror();
    expect(view.problemList.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'conflict /d/e',
      'unreadable /d',
    ]);
    refused = false;
    expect((await rig.settle()).conflicts).toBe(1);
  });

  it('lets a file whose removal has to wait make room in its own time, without a conflict', async () => {
    let refused = true;
    const rig = await startMirrorHarness();
    rig.write('a', 'known');
    await rig.mirror();
    await rig.restart(
      onFaultyDisk({
        unlink: (file) => {
          if (refused && file === rig.at('a')) throw diskError('EIO');
          nodeFileSystem.unlink(file);
        },
      }),
    );
    await rig.settle();
    await rig.delete('/a');
    await waitFor('the removal to be refused', async () => (await rig.view()).problems === 1);
    await rig.put('/a/b', 'new');
    await rig.settle();
    refused = false;
    await waitFor('the next try', () => '/a/b' in rig.folder());
    expect(rig.folder()).toEqual({ '/a/b': 'new' });
    expect((await rig.settle()).conflicts).toBe(0);
  });
});
