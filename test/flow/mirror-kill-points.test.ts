// kill -9 at every named point of the engine, with work in both directions, then a new start: the end is the same.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type KillPoint, killPoints, transferLimits } from '../../server/mirror/state/context.ts';
import type { WorkspaceService } from '../../server/workspaces/service.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { processFile } from '../support/processes.ts';

/** Travels in three pieces. */
const large = 'large '.repeat(Math.ceil((2.5 * transferLimits.chunkBytes) / 6));

async function runUntilKilled(rig: MirrorHarness, point: KillPoint): Promise<string | null> {
  const script = processFile('mirror-until-killed');
  const child = spawn(process.execPath, [script, rig.base, rig.workspaceId, point], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal;
}

describe('kill -9', () => {
  it.each(killPoints)('at %s loses nothing, doubles nothing and leaves nothing behind', async (point) => {
    const rig = await startMirrorHarness();
    for (const name of [
      'edited-here',
      'edited-there',
      'deleted-here',
      'deleted-there',
      'both.txt',
      'kept',
      'd/moved',
    ]) {
      rig.write(name, `base of ${name}`);
    }
    rig.write('merged.txt', 'one\ntwo\nthree\n');
    await rig.mirror();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    rig.write('edited-here', 'new here');
    await rig.put('/edited-there', 'new there');
    rig.remove('deleted-here');
    await rig.delete('/deleted-there');
    rig.write('both.txt', 'folder');
    await rig.put('/both.txt', 'workspace');
    rig.write('merged.txt', 'ONE\ntwo\nthree\n');
    await rig.put('/merged.txt', 'one\ntwo\nTHREE\n');
    rig.rename('d/moved', 'e/moved');
    rig.write('created-here', 'c');
    await rig.put('/created-there', 'c');
    rig.write('large-here', large);
    await rig.put('/large-there', large);
    await rig.store.mirrors.update({ mirrorId: rig.mirrorId, patch: { paused: false } });
    await rig.stop();

    expect(await runUntilKilled(rig, point)).toBe('SIGKILL');
    await rig.start();
    await rig.settle();

    const { '/large-here': here, '/large-there': there, ...files } = await rig.both();
    expect([here === large, there === large]).toEqual([true, true]);
    const copies = Object.keys(files).filter((name) => name.includes('(conflict'));
    expect(copies.map((name) => files[name])).toEqual(['folder']);
    const rest = Object.fromEntries(Object.entries(files).filter(([name]) => !copies.includes(name)));
    expect(rest).toEqual({
      '/both.txt': 'workspace',
      '/created-here': 'c',
      '/created-there': 'c',
      '/e/moved': 'base of d/moved',
      '/edited-here': 'new here',
      '/edited-there': 'new there',
      '/kept': 'base of kept',
      '/merged.txt': 'ONE\ntwo\nTHREE\n',
    });
    const left = readdirSync(rig.root, { recursive: true }).filter((name) =>
      String(name).includes('.mooring-tmp-'),
    );
    expect(left).toEqual([]);
    expect(readdirSync(path.join(rig.dataDir, 'blobs/incoming'))).toEqual([]);
    expect((await rig.view()).conflicts).toBe(1);
    const created = (await rig.events())
      .filter(({ type }) => type === 'file.created')
      .map((event) => event.path);
    expect(created, 'nothing is created twice').toEqual([...new Set(created)]);
  });

  it('after an upload leaves what was edited or deleted before the next start an edit and a deletion', async () => {
    const rig = await startMirrorHarness();
    for (const name of ['edited', 'deleted', 'moved']) rig.write(name, `base of ${name}`);
    await rig.mirror();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    for (const name of ['edited', 'deleted', 'new']) rig.write(name, `sent: ${name}`);
    rig.rename('moved', 'there');
    await rig.store.mirrors.update({ mirrorId: rig.mirrorId, patch: { paused: false } });
    await rig.stop();

    expect(await runUntilKilled(rig, 'upload.committed')).toBe('SIGKILL');
    rig.write('edited', 'once more');
    rig.write('new', 'once more');
    rig.remove('deleted');
    rig.rename('there', 'elsewhere');
    await rig.start();
    await rig.settle();

    expect(await rig.both()).toEqual({
      '/edited': 'once more',
      '/elsewhere': 'base of moved',
      '/new': 'once more',
    });
    expect((await rig.view()).conflicts).toBe(0);
  });

  it('after a download leaves what the workspace changes before the next look its changes', async () => {
    const rig = await startMirrorHarness();
    for (const name of ['edited', 'deleted', 'back']) rig.write(name, `base of ${name}`);
    await rig.mirror();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    for (const name of ['/edited', '/deleted', '/new', '/new-deleted']) await rig.put(name, 'brought');
    await rig.delete('/back');
    await rig.store.mirrors.update({ mirrorId: rig.mirrorId, patch: { paused: false } });
    await rig.stop();

    expect(await runUntilKilled(rig, 'download.applied')).toBe('SIGKILL');
    let isChanged = false;
    const changedFirst = (inner: WorkspaceService): WorkspaceService => ({
      ...inner,
      async listFiles(...page) {
        if (!isChanged) {
          isChanged = true;
          for (const name of ['/edited', '/new']) await rig.put(name, 'once more');
          for (const name of ['/deleted', '/new-deleted']) await rig.delete(name);
          await rig.put('/back', 'base of back');
        }
        return await inner.listFiles(...page);
      },
    });
    await rig.start({ met: changedFirst });
    await rig.settle();

    expect(await rig.both()).toEqual({
      '/back': 'base of back',
      '/edited': 'once more',
      '/new': 'once more',
    });
    expect((await rig.view()).conflicts).toBe(0);
    expect(await rig.store.mirrors.openIntents(rig.mirrorId)).toEqual([]);
  });
});
