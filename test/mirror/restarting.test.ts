import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { describeMirrors } from '../../server/cli/shared/mirror-text.ts';
import { mirroredTwelve, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

describe('stopping and going on', () => {
  it('finds after a restart what changed on both sides meanwhile', async () => {
    const rig = await mirroredTwelve();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    expect((await rig.view()).state).toBe('paused');
    rig.write('d/0', 'folder');
    rig.remove('d/1');
    await rig.put('/d/2', 'workspace');
    await rig.delete('/d/3');
    await rig.restart();
    expect((await rig.view()).state).toBe('paused');
    expect((await rig.manager.settle({ timeoutMs: 500 })).settled).toBe(false);
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    const files = await rig.both();
    expect(files).toMatchObject({ '/d/0': 'folder', '/d/2': 'workspace' });
    expect(Object.keys(files)).toHaveLength(10);
  });

  it('ends a timed pause without a request, also one that began before a restart', async () => {
    const rig = await mirroredTwelve();
    const untilMs = Date.now() + 1_500;
    await rig.manager.pause(rig.workspaceId, rig.mirrorId, untilMs);
    rig.write('d/0', 'folder');
    await rig.restart();
    expect(await rig.view()).toMatchObject({
      state: 'paused',
      pausedUntil: new Date(untilMs).toISOString(),
    });
    await waitFor('the end of the pause', async () => (await rig.view()).pausedUntil === null);
    expect(Date.now()).toBeGreaterThanOrEqual(untilMs);
    await rig.settle();
    expect(await rig.both()).toMatchObject({ '/d/0': 'folder' });
    // A pause without an end replaces one with an end, and a pause of a paused mirror its end.
    await rig.manager.pause(rig.workspaceId, rig.mirrorId, Date.now() + 60_000);
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    expect(await rig.view()).toMatchObject({ state: 'paused', pausedUntil: null });
    await rig.manager.pause(rig.workspaceId, rig.mirrorId, Date.now() + 200);
    await waitFor('the end of the pause', async () => (await rig.view()).state === 'idle');
  });

  it('says who has its folder, and when it tries again', async () => {
    const rig = await mirroredTwelve();
    await rig.stop();
    const owner = { pid: process.ppid, startedAt: '', dataDir: '/elsewhere' };
    writeFileSync(rig.at('.mooring/lock.json'), JSON.stringify(owner));
    const before = Date.now();
    await rig.start();
    const [problem] = await waitFor('the problem', async () => {
      const { state, problemList } = await rig.view();
      return state === 'error' && problemList[0]?.retryAt != null ? problemList : null;
    });
    expect(problem).toMatchObject({
      kind: 'mirror_failed',
      cause: `another agent mirrors this folder: process ${process.ppid} with the data directory /elsewhere`,
    });
    expect(Date.parse(problem?.retryAt ?? '')).toBeGreaterThan(before);
    expect(describeMirrors([await rig.view()]).join('\n')).toContain('/elsewhere. See the log');
    rmSync(rig.at('.mooring/lock.json'));
    await waitFor('the next try', async () => (await rig.view()).state === 'idle');
    expect((await rig.view()).problemList).toEqual([]);
  });

  it('leaves the folder as it is when the workspace is deleted', async () => {
    const rig = await mirroredTwelve();
    await rig.workspaces.remove(rig.workspaceId);
    await rig.restart();
    await waitFor('the mirror to say so', async () =>
      (await rig.view()).problemList[0]?.cause.includes('deleted'),
    );
    expect(Object.keys(rig.folder())).toHaveLength(12);
  });

  it('knows again what it brought below a name that was a file before, when it died before it could note it', async () => {
    const rig = await startMirrorHarness();
    for (const name of ['c', 'd']) rig.write(name, `content ${name}`);
    await rig.mirror();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    await rig.delete('/d');
    await rig.put('/d/a', 'brought');
    let died = false;
    await rig.restart({
      atKillPoint: (point) => {
        if (died || point !== 'download.applied') return;
        died = true;
        throw new Error('it dies here');
      },
    });
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await waitFor('its end', () => died);
    await rig.delete('/d/a');
    // Whoever waits as it dies is told that it did not settle.
    await waitFor('rest', async () => (await rig.manager.settle({ timeoutMs: 20_000 })).settled, {
      deadlineMs: 90_000,
    });
    expect(await rig.both()).toEqual({ '/c': 'content c' });
  });

  it('after a restored backup only adds', async () => {
    const rig = await mirroredTwelve();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    await rig.delete('/d/0');
    await rig.put('/d/1', 'older state');
    await rig.store.mirrors.update({ mirrorId: rig.mirrorId, patch: { epoch: 'another life' } });
    await rig.restart();
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    const files = await rig.both();
    expect(files).toMatchObject({ '/d/0': 'content 0', '/d/1': 'older state' });
    expect(Object.values(files)).toContain('content 1');
  });
});
