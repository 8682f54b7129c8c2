import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FolderListener, WatchTrouble } from '../../../server/disk/port/folder.ts';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { hasOrderedEvents } from '../../../server/disk/root/local-disk.ts';
import { touchMarker, writeMarker } from '../../../server/disk/root/root.ts';
import { ChangeNotifier, HintThrottle } from '../../../server/disk/watch/change-notifier.ts';
import { ChokidarWatcher } from '../../../server/disk/watch/chokidar-watcher.ts';
import { DirtySet } from '../../../server/disk/watch/dirty-set.ts';
import { ThreadStallDetector } from '../../../server/disk/watch/stall-detector.ts';
import { WatchCoverage } from '../../../server/disk/watch/watch-coverage.ts';
import { readWatchLimit } from '../../../server/disk/watch/watcher.ts';
import { WatcherSelfTest } from '../../../server/disk/watch/watcher-self-test.ts';
import { WorkerFolder } from '../../../server/disk/worker/worker-folder.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

type WatchWith = NonNullable<ConstructorParameters<typeof ChokidarWatcher>[3]>;

/** A watcher of the system that does what the test says. */
function scriptedWatcher() {
  const system = Object.assign(new EventEmitter(), { close: async () => undefined });
  return { system, watchWith: (() => system) as unknown as WatchWith };
}

const deaf = { onHint: () => undefined, onTrouble: () => undefined };

describe('the watcher', () => {
  it('gives up when the system gives no more watches, also while it runs, and says so once and for all', async () => {
    for (const code of ['ENOSPC', 'EMFILE']) {
      const { system, watchWith } = scriptedWatcher();
      const troubles: unknown[] = [];
      const onTrouble = (...trouble: unknown[]) => troubles.push(trouble);
      const watcher = new ChokidarWatcher('/r', () => false, { ...deaf, onTrouble }, watchWith);
      const started = watcher.start();
      system.emit('ready');
      expect(await started).toBe(true);
      system.emit('error', Object.assign(new Error('no more'), { code }));
      expect(troubles).toEqual([[code, true]]);
    }
  });

  it('is not ready when the limit is reached before all is watched', async () => {
    const { system, watchWith } = scriptedWatcher();
    const started = new ChokidarWatcher('/r', () => false, deaf, watchWith).start();
    system.emit('error', Object.assign(new Error('no more'), { code: 'ENOSPC' }));
    expect(await started).toBe(false);
  });

  it('goes on after any other error, of which it tells, as hints may have been lost', async () => {
    const { system, watchWith } = scriptedWatcher();
    const told: unknown[] = [];
    const watcher = new ChokidarWatcher(
      '/r',
      () => false,
      { onHint: (...hint) => told.push(hint), onTrouble: (...trouble) => told.push(trouble) },
      watchWith,
    );
    const started = watcher.start();
    system.emit('ready');
    await started;
    system.emit('error', Object.assign(new Error('odd'), { code: 'EIO' }));
    system.emit('raw', 'change', 'a', { watchedPath: '/r/d' });
    expect(told).toEqual([
      ['EIO', false],
      ['/d', 'a', 'written'],
    ]);
  });
});

describe('the proof that there are events', () => {
  function started(parts: { touch?: () => void } = {}) {
    const clock = createManualClock();
    const told: string[] = [];
    let touches = 0;
    const check = new WatcherSelfTest({
      clock,
      touch: () => {
        touches += 1;
        parts.touch?.();
      },
      onMissed: (silent) => told.push(silent ? 'silent' : 'missed'),
      onHeardAgain: () => told.push('heard again'),
    });
    const ended = check.run();
    onTestFinished(async () => {
      check.stop();
      await ended;
    });
    return { clock, told, check, touches: () => touches };
  }

  it('has everything looked at when an event does not come, and has the folder polled when a second does not', async () => {
    const { clock, told, check, touches } = started();
    clock.advance(5000);
    await waitFor('the second try', () => touches() === 2);
    expect(told).toEqual(['missed']);
    clock.advance(5000);
    await waitFor('the verdict', () => told.length === 2);
    expect(told).toEqual(['missed', 'silent']);
    // It goes on trying, and says when events come again.
    clock.advance(60_000);
    await waitFor('the next try', () => touches() === 3);
    check.heard();
    await waitFor('the good news', () => told.length === 3);
    expect(told).toEqual(['missed', 'silent', 'heard again']);
  });

  it('says nothing while events come, and tries once a minute', async () => {
    const { clock, told, check, touches } = started();
    for (let minute = 1; minute <= 3; minute += 1) {
      await waitFor('a try', () => touches() === minute);
      check.heard();
      await waitFor('the end of the try', () => {
        clock.advance(60_000);
        return touches() > minute;
      });
    }
    expect(told.filter((what) => what === 'silent')).toEqual([]);
  });

  it('proves nothing when the folder is out of reach', async () => {
    const { clock, told, touches } = started({
      touch: () => {
        throw new Error('gone');
      },
    });
    clock.advance(5000);
    await waitFor('the next try', () => {
      clock.advance(60_000);
      return touches() > 2;
    });
    expect(told).toEqual([]);
  });

  it('is heard by the real watcher, and no hint of it reaches the mirror', async () => {
    const root = tempFolder('mooring-watch');
    writeMarker(nodeFileSystem, root, 'marker');
    const heard: string[] = [];
    const watcher = new ChokidarWatcher(root, (wire) => wire !== '/.mooring' && wire.includes('.mooring'), {
      ...deaf,
      onHint: (directory, name) => heard.push(`${directory} ${name}`),
    });
    onTestFinished(() => watcher.stop());
    expect(await watcher.start()).toBe(true);
    touchMarker(nodeFileSystem, root);
    await waitFor('the event', () => heard.includes('/.mooring marker.json'));

    const hints: string[] = [];
    const states: (WatchTrouble | null)[] = [];
    const listener: FolderListener = {
      onHint: (scope) => hints.push(scope),
      onWatchState: (_, trouble) => states.push(trouble),
      onFailure: (error) => {
        throw error;
      },
    };
    const folder = new WorkerFolder(listener);
    onTestFinished(() => folder.close());
    await folder.open({ root, known: [], fileBytesMax: 1024 });
    await folder.scan('full');
    expect(await folder.watch()).toBe('events');
    touchMarker(nodeFileSystem, root);
    writeFileSync(path.join(root, 'a'), 'a');
    await waitFor('the hint of the file', () => hints.length > 0);
    expect([...(await folder.scan('dirty')).changes].map((change) => change.path)).not.toContain('/.mooring');
    expect(states).toEqual([]);
  });
});

describe('whatever may have cost a hint', () => {
  async function watched(isComplete = true) {
    const root = tempFolder('mooring-post');
    writeMarker(nodeFileSystem, root, 'marker');
    const { system, watchWith } = scriptedWatcher();
    const clock = createManualClock();
    const told: unknown[] = [];
    const dirty = new DirtySet();
    const coverage = new WatchCoverage();
    const post = new ChangeNotifier({
      clock,
      stallDetector: new ThreadStallDetector(clock),
      hinted: {
        dirty,
        hint: (directory, name, kind) => dirty.add(directory, name, kind, clock.monotonicMs()),
        ignores: () => false,
        coverage,
      },
      listener: {
        onHint: (scope) => told.push(scope),
        onWatchState: (state, trouble) => told.push([state, trouble?.code ?? null]),
      },
      watchWith,
    });
    const started = post.start(root);
    await waitFor('the watcher', () => system.listenerCount('ready') > 0);
    system.emit('ready');
    expect(await started).toBe('events');
    onTestFinished(() => post.stop());
    // The look-out for a lag, and the answer to the first touch.
    await waitFor('both to wait', () => clock.delays() === 2);
    const heard = async (what: string, count: number) => await waitFor(what, () => told.length >= count);
    // The full scan that follows.
    coverage.fullScanBegins()();
    if (!isComplete) coverage.end();
    return { root, system, clock, told, heard, post, coverage, dirty };
  }

  it('has only that looked at which is hinted at, when nothing is lost', async () => {
    const { root, system, told, heard } = await watched();
    system.emit('raw', 'change', 'a', { watchedPath: root });
    await heard('the hint', 1);
    expect(told).toEqual(['dirty']);
  });

  it('has only the final name of a written file looked at, not that of its temporary file', async () => {
    const { root, system, heard, dirty } = await watched();
    for (const name of ['.mooring-tmp-1', 'a', '.mooring-tmp-1'])
      system.emit('raw', 'change', name, { watchedPath: root });
    await heard('the hint', 1);
    expect([...(dirty.take().hints.get('/')?.keys() ?? [])]).toEqual(['a']);
  });

  it('has everything looked at: an error of the watcher', async () => {
    const { system, told, heard } = await watched();
    system.emit('error', Object.assign(new Error('odd'), { code: 'EIO' }));
    await heard('the hint', 1);
    expect(told).toEqual(['full']);
  });

  it('has everything looked at and the folder polled: no more watches', async () => {
    const { system, told, heard } = await watched();
    system.emit('error', Object.assign(new Error('no more'), { code: 'ENOSPC' }));
    await heard('both', 2);
    expect(told).toEqual([['polling', 'ENOSPC'], 'full']);
  });

  it('has everything looked at: a burst', async () => {
    const { root, system, told, heard } = await watched();
    for (let hints = 0; hints <= 2000; hints += 1)
      system.emit('raw', 'change', `f${hints}`, { watchedPath: root });
    await heard('the hint', 1);
    expect(told).toEqual(['full']);
  });

  it('has everything looked at: a thread that was busy, where the watches are not known to be complete', async () => {
    const { clock, told, heard } = await watched(false);
    // The next look is a close one.
    clock.advance(2000);
    await waitFor('the look', () => clock.delays() === 2);
    expect(told).toEqual([]);
    clock.advance(400);
    await heard('the hint', 1);
    expect(told).toEqual(['full']);
  });

  it('has everything looked at: a machine that was asleep', async () => {
    const { clock, told, heard } = await watched();
    clock.setWallMs(clock.nowMs() + 8 * 3_600_000);
    clock.advance(2000);
    await heard('the hint', 1);
    expect(told).toEqual(['full']);
  });

  it('has everything looked at by a barrier: the machine was asleep a moment ago', async () => {
    const { clock, post, dirty } = await watched();
    await post.barrier();
    expect(dirty.isFull).toBe(false);
    clock.setWallMs(clock.nowMs() + 8 * 3_600_000);
    await post.barrier();
    expect(dirty.isFull).toBe(true);
  });

  it.runIf(hasOrderedEvents(tmpdir()))(
    'is no thread that was busy while few events came: the queue holds more',
    async () => {
      const { root, system, clock, told, heard, coverage } = await watched();
      clock.advance(2400);
      system.emit('raw', 'change', 'a', { watchedPath: root });
      await heard('the hint', 1);
      expect([told, coverage.isComplete]).toEqual([['dirty'], true]);
    },
  );

  it('has everything looked at, and no watch trusted: more events than the queue may have held, of any folder of the thread', async () => {
    const { root, system, told, heard, coverage } = await watched();
    for (let events = 0; events < 8000; events += 1)
      system.emit('raw', 'change', 'marker.json', { watchedPath: `${root}/.mooring` });
    await heard('the hint', 1);
    expect([told, coverage.isComplete]).toEqual([['full'], false]);
  });

  it('has everything looked at: a touch of which nothing is told', async () => {
    const { clock, told, heard } = await watched();
    for (let step = 0; step < 50; step += 1) {
      clock.advance(100);
      await waitFor('the next look', () => clock.delays() === 2);
    }
    await heard('the hint', 1);
    expect(told).toEqual(['full']);
    for (let step = 0; step < 50; step += 1) {
      clock.advance(100);
      await waitFor('the next look', () => clock.delays() === 2);
    }
    await heard('the verdict', 3);
    expect(told).toEqual(['full', ['polling', 'ESILENT'], 'full']);
  });
});

describe('hints of a burst', () => {
  it('become one when it is quiet, and one after a quarter of a second when it is not', () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let told = 0;
    const pacer = new HintThrottle(() => {
      told += 1;
    });
    const startMs = Date.now();
    const hint = () => pacer.hint(Date.now() - startMs);
    for (let hints = 0; hints < 3; hints += 1) {
      hint();
      vi.advanceTimersByTime(5);
    }
    expect(told).toBe(0);
    vi.advanceTimersByTime(50);
    expect(told).toBe(1);
    // Never quiet: told at the latest after 250 ms.
    for (let ms = 0; ms < 260; ms += 10) {
      hint();
      vi.advanceTimersByTime(10);
    }
    expect(told).toBe(2);
    pacer.stop();
  });
});

it('reads the limit that was reached, where there is one', () => {
  const folder = tempFolder('mooring-limits');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'max_user_watches'), '65536\n');
  expect(readWatchLimit('ENOSPC', folder)).toEqual({ setting: 'fs.inotify.max_user_watches', value: 65_536 });
  expect(readWatchLimit('EMFILE', folder)).toBeNull();
  expect(readWatchLimit('EIO', folder)).toBeNull();
});
