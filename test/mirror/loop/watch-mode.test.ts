// What a mirror does when the system's hints fail it, and that the real watcher keeps up with directories that come and go.
import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { FolderListener } from '../../../server/disk/port/folder.ts';
import { WorkerFolder } from '../../../server/disk/worker/worker-folder.ts';
import { WatchMode } from '../../../server/mirror/loop/watch-mode.ts';
import { createProcessorShares, type ProcessorShare } from '../../../server/mirror/state/processor-shares.ts';
import { createLogger } from '../../../server/platform/observe/logger.ts';
import { type MirrorHarness, startMirrorHarness } from '../../support/mirror-harness.ts';
import { waitFor } from '../../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

/** A rig whose folder's listener the test has in its hand. */
async function overheard(): Promise<{
  rig: MirrorHarness;
  listener: () => FolderListener;
  opened: () => number;
}> {
  const listeners: FolderListener[] = [];
  const rig = await startMirrorHarness({
    openFolder: (listener) => {
      listeners.push(listener);
      return new WorkerFolder(listener);
    },
  });
  await rig.mirror();
  return { rig, listener: () => listeners.at(-1) as FolderListener, opened: () => listeners.length };
}

async function follows(rig: MirrorHarness, file: string, content: string): Promise<void> {
  await waitFor(`the workspace to hold ${file}`, async () => (await rig.workspace())[file] === content, {
    deadlineMs: 90_000,
  });
}

describe('when the system stops telling', () => {
  it('because its watches are spent, the folder is polled and the command that raises the limit is listed', async () => {
    const { rig, listener } = await overheard();
    await waitFor('the watcher', async () => (await rig.view()).watch === 'events');
    const limit = { setting: 'fs.inotify.max_user_watches', value: 1_000_000 };
    listener().onWatchState('polling', { code: 'ENOSPC', limit });
    const view = await rig.view();
    expect(view.watch).toBe('polling');
    expect(view.problemList).toMatchObject([
      {
        kind: 'watch_limit',
        path: '/',
        cause: expect.stringContaining('fs.inotify.max_user_watches is 1000000'),
        next: expect.stringContaining('sudo sysctl fs.inotify.max_user_watches=2000000'),
      },
    ]);
    rig.write('a', '1');
    await follows(rig, '/a', '1');
    // A new start may have its watches.
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await waitFor('the watcher', async () => (await rig.view()).problems === 0);
    expect((await rig.view()).watch).toBe('events');
  });

  it('without a word, the folder is polled until it tells again', async () => {
    const { rig, listener } = await overheard();
    await waitFor('the watcher', async () => (await rig.view()).watch === 'events');
    listener().onWatchState('polling', { code: 'ESILENT', limit: null });
    expect((await rig.view()).problemList).toMatchObject([{ kind: 'watch_silent', path: '/' }]);
    rig.write('a', '1');
    await follows(rig, '/a', '1');
    listener().onWatchState('events', null);
    expect(await rig.view()).toMatchObject({ watch: 'events', problems: 0 });
  });

  it('because its thread died, a new one is started and finds what happened meanwhile', async () => {
    const { rig, listener, opened } = await overheard();
    rig.write('a', '1');
    listener().onFailure(new Error("the folder's thread ended with code 1"));
    await waitFor('a new thread', () => opened() > 1);
    await follows(rig, '/a', '1');
    await waitFor('the mirror to be well', async () => (await rig.view()).state === 'idle');
  });
});

describe('a folder is looked through without a reason', () => {
  const watchingOf = (mirrorId: string, scans: ProcessorShare) =>
    new WatchMode({ mirrorId, dir: '/d' }, createLogger({ level: 'silent' }), scans, () => undefined);
  const watching = watchingOf('alone', createProcessorShares().scans);
  const everyMs = (ms: readonly number[], isWatched: boolean) =>
    ms.map((each) => watching.scanEveryMs({ cpuMs: each, durationMs: each }, isWatched));

  it('by what it costs, however large it is, while the watcher reports every change', () => {
    watching.changed('events', null);
    expect(everyMs([10, 300, 9000, 60_000, 600_000], true)).toEqual([
      30_000,
      expect.closeTo(300 * 334, 3),
      expect.closeTo(9000 * 334, 3),
      expect.closeTo(60_000 * 334, 3),
      24 * 3_600_000,
    ]);
    expect(watching.scanEveryMs(null, true)).toBe(30_000);
  });

  it('by what all mirrors cost together: twenty of them use no more than one', () => {
    const { scans } = createProcessorShares();
    const modes = Array.from({ length: 20 }, (_, at) => watchingOf(`m${at}`, scans));
    for (const mode of modes) mode.changed('events', null);
    const next = () => modes.map((mode) => mode.scanEveryMs({ cpuMs: 300, durationMs: 300 }, true));
    next();
    expect(next()).toEqual(modes.map(() => expect.closeTo(20 * 300 * 334, 3)));
    const [, halted, ...ended] = modes;
    expect([halted?.haltedPauseMs(9000), halted?.haltedPauseMs(0)]).toEqual([450_000, 2000]);
    expect([0, 500, 9000].map((ms) => halted?.haltedRestMs(ms))).toEqual([0, 4500, 5000]);
    for (const mode of ended) mode.sessionEnded();
    expect(modes[0]?.scanEveryMs({ cpuMs: 300, durationMs: 300 }, true)).toBeCloseTo(300 * 334, 3);
  });

  it('at least every ten minutes where a part of it has no watch', () => {
    watching.changed('events', null);
    expect(everyMs([10, 300, 10_000], false)).toEqual([30_000, 60_000, 600_000]);
  });

  it('by the time it takes, where the system tells nothing', () => {
    watching.changed('polling', { code: 'ENOSPC', limit: null });
    for (const isWatched of [true, false]) expect(everyMs([10, 300], isWatched)).toEqual([2000, 15_000]);
  });

  it('but not to wait until synced once the watcher is proven; the status says when it was, and is due', async () => {
    const { rig } = await overheard();
    const lastAt = async () => (await rig.settle()).fullScan.lastAt;
    await waitFor('a wait without a full scan', async () => {
      const first = await lastAt();
      return first === (await lastAt());
    });
    const before = await lastAt();
    rig.write('d/a', '1');
    const { fullScan } = await rig.settle();
    expect((await rig.workspace())['/d/a']).toBe('1');
    expect(fullScan.lastAt).toBe(before);
    expect(Date.parse(fullScan.nextAt ?? '') - Date.parse(fullScan.lastAt ?? '')).toBeGreaterThanOrEqual(
      29_000,
    );
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    expect((await rig.view()).fullScan).toMatchObject({ lastAt: before, nextAt: null });
  });

  it('after a pause, without waiting for a hint', async () => {
    const { rig } = await overheard();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    rig.write('a', '1');
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await follows(rig, '/a', '1');
  });
});

describe('a directory that is made again at the same path', () => {
  it('at once, is watched as the one before was', async () => {
    const { rig } = await overheard();
    await waitFor('the watcher', async () => (await rig.view()).watch === 'events');
    rig.write('keep', 'k');
    for (let round = 0; round < 10; round += 1) {
      mkdirSync(rig.at('d'), { recursive: true });
      rmSync(rig.at('d'), { recursive: true });
      mkdirSync(rig.at('d'));
    }
    rig.write('d/a', '1');
    await follows(rig, '/d/a', '1');
    rig.write('d/a', '2');
    await follows(rig, '/d/a', '2');
  });

  it('after its deletion was carried, is watched as the one before was', async () => {
    const { rig } = await overheard();
    await waitFor('the watcher', async () => (await rig.view()).watch === 'events');
    rig.write('keep', 'k');
    for (const content of ['1', '2', '3']) {
      rig.write('d/e/a', content);
      await follows(rig, '/d/e/a', content);
      rig.write('d/e/a', `${content} again`);
      await follows(rig, '/d/e/a', `${content} again`);
      rmSync(rig.at('d'), { recursive: true });
      await waitFor('the deletion', async () => (await rig.workspace())['/d/e/a'] === undefined, {
        deadlineMs: 90_000,
      });
    }
  });
});
