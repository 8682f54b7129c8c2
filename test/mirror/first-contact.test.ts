import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { WorkerFolder } from '../../server/disk/worker/worker-folder.ts';
import { startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

describe('first contact only adds', () => {
  it('takes a folder full of files into an empty workspace, bytes and all', async () => {
    const rig = await startMirrorHarness();
    rig.write('a.txt', 'A');
    rig.write('deep/er/b bin', Uint8Array.of(0, 255, 128));
    rig.write('deep/empty', '');
    rig.write('Ünïcode ☃.md', 'snow');
    await rig.mirror();
    expect(await rig.both()).toMatchObject({ '/a.txt': 'A', '/deep/empty': '' });
    expect(Object.keys(await rig.workspace())).toHaveLength(4);
  });

  it('brings a workspace full of files into an empty folder', async () => {
    const rig = await startMirrorHarness();
    await rig.put('/a.txt', 'A');
    await rig.put('/d/e/b.txt', 'B');
    await rig.mirror();
    expect(await rig.both()).toEqual({ '/a.txt': 'A', '/d/e/b.txt': 'B' });
  });

  it('starts with nothing on either side and then carries the first file of each', async () => {
    const rig = await startMirrorHarness();
    await rig.mirror();
    rig.write('from-folder', '1');
    await rig.put('/from-workspace', '2');
    await rig.settle();
    expect(await rig.both()).toEqual({ '/from-folder': '1', '/from-workspace': '2' });
  });

  it('writes to neither side before both have been looked at', async () => {
    const listed = Promise.withResolvers<void>();
    const written: string[] = [];
    const rig = await startMirrorHarness({
      met: (workspaces) => ({
        ...workspaces,
        listFiles: async (...asked) => {
          await listed.promise;
          return await workspaces.listFiles(...asked);
        },
        change: async (asked) => {
          written.push('workspace');
          return await workspaces.change(asked);
        },
      }),
      openFolder: (listener) => {
        const folder = new WorkerFolder(listener);
        const apply = folder.apply.bind(folder);
        folder.apply = async (operations) => {
          written.push('folder');
          return await apply(operations);
        };
        return folder;
      },
    });
    rig.write('here', '1');
    await rig.put('/there', '2');
    await rig.manager.add(rig.workspaceId, rig.root);
    // Watching begins when the folder was scanned.
    await waitFor('the scan of the folder', async () => (await rig.view()).watch === 'events');
    expect(written).toEqual([]);
    listed.resolve();
    await rig.settle();
    expect(await rig.both()).toEqual({ '/here': '1', '/there': '2' });
    expect(written.sort()).toEqual(['folder', 'workspace']);
  });

  it('unites two different sets of files and deletes nothing', async () => {
    const rig = await startMirrorHarness();
    rig.write('only-here', 'h');
    await rig.put('/only-there', 't');
    await rig.mirror();
    expect(await rig.both()).toEqual({ '/only-here': 'h', '/only-there': 't' });
  });

  it('transfers nothing when both sides hold the same bytes, whatever the times say', async () => {
    const rig = await startMirrorHarness();
    rig.write('a', 'same');
    utimesSync(rig.at('a'), 1, 1);
    await rig.put('/a', 'same');
    const before = (await rig.events()).length;
    const view = await rig.mirror();
    expect(view.conflicts).toBe(0);
    expect((await rig.events()).length).toBe(before);
    expect(await rig.both()).toEqual({ '/a': 'same' });
  });

  it('keeps both versions of a file that differs: the workspace keeps the name', async () => {
    const rig = await startMirrorHarness();
    rig.write('plan.md', 'folder');
    await rig.put('/plan.md', 'workspace');
    const view = await rig.mirror();
    const files = await rig.both();
    expect(files['/plan.md']).toBe('workspace');
    const copies = Object.keys(files).filter((name) => /^\/plan \(conflict .*\)\.md$/.test(name));
    expect(copies.map((name) => files[name])).toEqual(['folder']);
    expect(view).toMatchObject({ conflicts: 1, problemList: [{ kind: 'conflict', path: '/plan.md' }] });
  });

  it('keeps a file and a directory of one name', async () => {
    const rig = await startMirrorHarness();
    rig.write('x', 'a file here');
    await rig.put('/x/y', 'a directory there');
    rig.write('z/w', 'a directory here');
    await rig.put('/z', 'a file there');
    await rig.mirror();
    const files = await rig.both();
    expect(Object.values(files).sort()).toEqual([
      'a directory here',
      'a directory there',
      'a file here',
      'a file there',
    ]);
    expect(files['/x/y']).toBe('a directory there');
    expect(files['/z']).toBe('a file there');
  });

  it('after a lost base neither deletes nor overwrites', async () => {
    const rig = await startMirrorHarness();
    rig.write('a', '1');
    rig.write('b', '1');
    await rig.mirror();
    await rig.stop();
    rig.write('a', 'folder');
    rig.remove('b');
    await rig.start();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    await rig.store.mirrors.clearBase({ mirrorId: rig.mirrorId });
    await rig.put('/a', 'workspace');
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    const files = await rig.both();
    expect(files).toMatchObject({ '/a': 'workspace', '/b': '1' });
    expect(Object.values(files)).toContain('folder');
  });

  it('leaves the user their empty directories and keeps its own things in one private folder', async () => {
    const rig = await startMirrorHarness();
    mkdirSync(rig.at('empty'));
    await rig.mirror();
    expect(existsSync(rig.at('empty'))).toBe(true);
    expect(await rig.workspace()).toEqual({});
  });
});
