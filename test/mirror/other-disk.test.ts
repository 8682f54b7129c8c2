// A disk that is mounted inside a mirrored folder: it comes and goes as a whole, and must not look written or deleted.
import { describe, expect, it, vi } from 'vitest';
import { nodeFileSystem } from '../../server/disk/port/node-file-system.ts';
import { onFaultyDisk } from '../support/engine-folder.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Everything at and below the directories that are named is on another disk. */
function withMounted(rig: MirrorHarness, mounted: ReadonlySet<string>): ReturnType<typeof onFaultyDisk> {
  return onFaultyDisk({
    lstat(path) {
      const stat = nodeFileSystem.lstat(path);
      const isThere = [...mounted].some((at) => `${path}/`.startsWith(`${rig.at(at)}/`));
      return stat !== null && isThere ? { ...stat, device: stat.device + 1n } : stat;
    },
  });
}

describe('a disk that is mounted in the folder', () => {
  it('is left alone and listed, and that it goes deletes nothing', async () => {
    const rig = await startMirrorHarness();
    const mounted = new Set(['usb']);
    for (let n = 0; n < 12; n += 1) rig.write(`f${n}`, `${n}`);
    rig.write('usb/there', 'on the other disk');
    await rig.mirror();
    // As an agent left it that had carried what is there.
    expect(await rig.workspace()).toMatchObject({ '/usb/there': 'on the other disk' });
    await rig.restart(withMounted(rig, mounted));
    const view = await rig.settle();
    expect(view).toMatchObject({ state: 'idle', halt: null });
    expect(view.problemList).toMatchObject([
      { kind: 'other_disk', path: '/usb', cause: expect.stringContaining('mounted here') },
    ]);
    rig.remove('usb/there');
    rig.write('usb/only-there', 'not for the workspace');
    rig.write('f1', 'edited');
    await rig.settle();
    expect(await rig.workspace()).toMatchObject({ '/f1': 'edited', '/usb/there': 'on the other disk' });
    expect(Object.keys(await rig.workspace())).not.toContain('/usb/only-there');
  });

  it('is neither written nor made room in, and what waited comes when it is gone', async () => {
    const rig = await startMirrorHarness();
    const mounted = new Set<string>();
    rig.write('usb/known', 'below the mount');
    rig.write('other', 'o');
    await rig.mirror();
    await rig.restart(withMounted(rig, mounted));
    await rig.settle();
    mounted.add('usb');
    await rig.put('/usb/known', 'theirs');
    await rig.put('/usb/new', 'for this folder');
    await rig.settle();
    expect(rig.folder()).toEqual({ '/other': 'o', '/usb/known': 'below the mount' });
    mounted.clear();
    // What was refused before a scan had seen the disk is tried again in its own time.
    await waitFor('what waited', () => rig.folder()['/usb/known'] === 'theirs');
    await rig.settle();
    expect(rig.folder()).toEqual({ '/other': 'o', '/usb/known': 'theirs', '/usb/new': 'for this folder' });
    expect((await rig.view()).problemList).toEqual([]);
  });
});
