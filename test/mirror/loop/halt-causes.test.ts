import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../server/platform/clock.ts';
import { type MirrorHarness, mirroredTwelve, startMirrorHarness } from '../../support/mirror-harness.ts';
import { waitFor } from '../../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

async function halted(rig: MirrorHarness, cause: string): Promise<void> {
  await waitFor(`the mirror to halt: ${cause}`, async () => {
    await rig.manager.settle({ timeoutMs: 2000 });
    return (await rig.view()).halt?.cause.includes(cause);
  });
  expect((await rig.view()).state).toBe('halted');
}

describe('a mirror halts instead of deleting', () => {
  it('when its folder is missing, with its cause, and continues automatically when it is back', async () => {
    const rig = await mirroredTwelve();
    const away = `${rig.root}-away`;
    renameSync(rig.root, away);
    await halted(rig, 'is missing');
    expect(Object.keys(await rig.workspace())).toHaveLength(12);
    renameSync(away, rig.root);
    rig.write('d/0', 'edited meanwhile');
    await waitFor('the mirror to go on', async () => (await rig.view()).state === 'idle');
    await rig.settle();
    expect((await rig.both())['/d/0']).toBe('edited meanwhile');
    expect((await rig.view()).halt).toBeNull();
  });

  it('when a file stands in place of its folder', async () => {
    const rig = await mirroredTwelve();
    renameSync(rig.root, `${rig.root}-away`);
    writeFileSync(rig.root, 'a file');
    await halted(rig, 'no longer a folder');
    expect(readFileSync(rig.root, 'utf8')).toBe('a file');
    expect(Object.keys(await rig.workspace())).toHaveLength(12);
    rmSync(rig.root);
    renameSync(`${rig.root}-away`, rig.root);
  });

  it('when another folder stands in its place; resuming only adds', async () => {
    const rig = await mirroredTwelve();
    renameSync(rig.root, `${rig.root}-away`);
    mkdirSync(rig.root);
    rig.write('stranger', 's');
    await halted(rig, 'not the one');
    expect(rig.folder()).toEqual({ '/stranger': 's' });
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    expect(Object.keys(await rig.both())).toHaveLength(13);
  });

  it('when all its files are gone, also over a restart; putting them back is enough', async () => {
    const rig = await mirroredTwelve();
    renameSync(rig.at('d'), `${rig.root}-d`);
    await halted(rig, 'are missing');
    await rig.restart();
    await halted(rig, 'are missing');
    expect(Object.keys(await rig.workspace())).toHaveLength(12);
    renameSync(`${rig.root}-d`, rig.at('d'));
    await waitFor('the mirror to go on', async () => (await rig.view()).state === 'idle');
    expect(Object.keys(await rig.both())).toHaveLength(12);
  });

  it('when more than half of its files are gone; resuming brings them back', async () => {
    const rig = await mirroredTwelve();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    for (let n = 0; n < 8; n += 1) rig.remove(`d/${n}`);
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await halted(rig, 'More than half');
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    expect(Object.keys(await rig.both())).toHaveLength(12);
  });

  it('when they go slowly, a few at a time', async () => {
    const rig = await mirroredTwelve();
    for (let n = 0; n < 5; n += 1) rig.remove(`d/${n}`);
    await rig.settle();
    for (let n = 5; n < 9; n += 1) rig.remove(`d/${n}`);
    await halted(rig, 'More than half');
    expect(Object.keys(await rig.workspace())).toHaveLength(7);
  });

  it('but not for a few deletions, nor for a renamed directory that holds everything', async () => {
    const rig = await mirroredTwelve();
    rig.remove('d/0');
    rig.rename('d', 'e');
    await rig.settle();
    expect(Object.keys(await rig.both())).toHaveLength(11);
  });

  it('and not for its only file', async () => {
    const rig = await startMirrorHarness();
    rig.write('a', '1');
    await rig.mirror();
    rig.remove('a');
    await rig.settle();
    expect(await rig.both()).toEqual({});
  });

  it('makes its marker anew when only that is gone', async () => {
    const rig = await mirroredTwelve();
    rig.remove('.mooring');
    await waitFor('a new marker', () => existsSync(rig.at('.mooring/marker.json')));
    expect((await rig.settle()).halt).toBeNull();
  });

  it('but not at once, so that a folder can be deleted while it looks', async () => {
    let monotonicMs = 0;
    const rig = await startMirrorHarness({ clock: { ...systemClock, monotonicMs: () => monotonicMs } });
    rig.write('a', '1');
    await rig.mirror();
    rig.remove('.mooring');
    await rig.settle();
    await rig.settle();
    expect(readdirSync(rig.root)).toEqual(['a']);
    monotonicMs += 3000;
    await rig.settle();
    expect(readdirSync(rig.root).sort()).toEqual(['.mooring', 'a']);
  });
});
