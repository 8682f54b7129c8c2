import { describe, expect, it } from 'vitest';
import { describeActivity } from '../../../server/cli/shared/mirror-text.ts';
import type { Folder } from '../../../server/disk/port/folder.ts';
import { WorkerFolder } from '../../../server/disk/worker/worker-folder.ts';
import { ProgressMeter } from '../../../server/mirror/cycle/progress.ts';
import { transferLimits } from '../../../server/mirror/state/context.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startMirrorHarness } from '../../support/mirror-harness.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('the progress of a mirror', () => {
  it('counts files and bytes, and tells pace and end once they are known', () => {
    const clock = createManualClock();
    const meter = new ProgressMeter(clock);
    expect(meter.read()).toBeNull();
    meter.beginPlan({ files: 10, bytes: 10_000 });
    expect(meter.read()).toMatchObject({
      phase: 'syncing',
      done: { files: 0, bytes: 0 },
      pace: null,
      leftMs: null,
    });
    for (let file = 0; file < 4; file += 1) {
      clock.advance(500);
      meter.stepDone(`/${file}`, 1000);
    }
    expect(meter.read()).toEqual({
      phase: 'syncing',
      done: { files: 4, bytes: 4000 },
      total: { files: 10, bytes: 10_000 },
      pace: { filesPerSecond: 2, bytesPerSecond: 2000 },
      leftMs: 3000,
    });
    clock.advance(60_000);
    expect(meter.read()).toMatchObject({ pace: { filesPerSecond: 0 }, leftMs: null });
    meter.end();
    expect(meter.read()).toBeNull();
  });

  it('counts the bytes of a large file while they travel, each once', () => {
    const clock = createManualClock();
    const meter = new ProgressMeter(clock);
    meter.beginPlan({ files: 2, bytes: 5000 });
    meter.carried('/large', 1000);
    clock.advance(1000);
    meter.carried('/large', 2000);
    expect(meter.read()).toMatchObject({ done: { files: 0, bytes: 2000 }, pace: { bytesPerSecond: 2000 } });
    meter.stepDone('/small', 1000);
    meter.stepDone('/large', 4000);
    expect(meter.read()).toMatchObject({ done: { files: 2, bytes: 5000 } });
    meter.carried('/again', 3000);
    meter.carried('/again', 0);
    expect(meter.read()).toMatchObject({ done: { files: 2, bytes: 5000 } });
  });

  it('counts the pieces of a large file, either way', async () => {
    const gate = createGate();
    gate.shut('readPiece', 1);
    gate.shut('writePiece', 1);
    const rig = await startMirrorHarness({ openFolder: (listener) => gate.hold(new WorkerFolder(listener)) });
    const { chunkBytes, wholeBytesMax } = transferLimits;
    const sizeBytes = wholeBytesMax + chunkBytes;
    rig.write('up', 'u'.repeat(sizeBytes));
    await rig.put('/down', 'd'.repeat(sizeBytes));
    const settled = rig.mirror();
    await gate.arrives('readPiece', 2);
    await waitFor('the first piece', async () => (await rig.view()).progress?.bytesDone === chunkBytes);
    expect((await rig.view()).progress).toMatchObject({ done: 0, total: 2, bytesTotal: 2 * sizeBytes });
    gate.open('readPiece');
    await gate.arrives('writePiece', 2);
    await waitFor(
      'a piece of the other one',
      async () => (await rig.view()).progress?.bytesDone === sizeBytes + chunkBytes,
    );
    expect((await rig.view()).progress).toMatchObject({ done: 1, total: 2 });
    gate.open('writePiece');
    gate.open('apply');
    await settled;
    expect(Object.keys(await rig.both())).toHaveLength(2);
  });

  it('knows no total while the folder is still being listed', () => {
    const clock = createManualClock();
    const meter = new ProgressMeter(clock);
    meter.scanned({ done: { files: 0, bytes: 0 }, total: null });
    clock.advance(2000);
    expect(meter.read()).toMatchObject({ phase: 'scanning', total: null, leftMs: null });
    meter.scanned({ done: { files: 50, bytes: 500 }, total: { files: 100, bytes: 1000 } });
    expect(meter.read()).toMatchObject({ total: { files: 100, bytes: 1000 }, leftMs: 2000 });
  });

  it('is shown while a first sync is under way, either way, and gone when it is over', async () => {
    let aheadMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
    const gate = createGate();
    const rig = await startMirrorHarness({
      clock,
      openFolder: (listener) => gate.hold(new WorkerFolder(listener)),
    });
    for (let file = 0; file < 300; file += 1) rig.write(`up/${file}`, 'x'.repeat(10));
    for (let file = 0; file < 100; file += 1) await rig.put(`/down/${file}`, 'y'.repeat(20));
    const settled = rig.mirror();
    await gate.arrives('read');
    aheadMs += 5000;
    expect((await rig.view()).progress).toMatchObject({
      phase: 'syncing',
      unit: 'files',
      done: 0,
      total: 400,
      bytesDone: 0,
      bytesTotal: 5000,
      leftMs: null,
    });
    gate.open('read');
    await gate.arrives('apply');
    const { progress, state } = await rig.view();
    expect(state).toBe('syncing');
    expect(progress).toMatchObject({ done: 300, bytesDone: 3000, total: 400 });
    expect(progress?.filesPerSecond).toBeGreaterThan(0);
    expect(progress?.leftMs).toBeGreaterThan(0);
    gate.open('apply');
    await settled;
    expect((await rig.view()).progress).toBeNull();
  });

  it('of a first scan counts what is read, and what was found to read', async () => {
    const gate = createGate();
    let tell: (files: number) => void = () => undefined;
    const rig = await startMirrorHarness({
      openFolder: (listener) => {
        tell = (files) =>
          listener.onScanProgress?.({ done: { files, bytes: files }, total: { files: 10, bytes: 10 } });
        return gate.hold(new WorkerFolder(listener));
      },
    });
    gate.shut('scan');
    await rig.manager.add(rig.workspaceId, rig.root);
    await gate.arrives('scan');
    tell(4);
    const view = await rig.view();
    expect(view).toMatchObject({ state: 'scanning', progress: { phase: 'scanning', done: 4, total: 10 } });
    expect(describeActivity(view)).toMatch(/^reading 4 of 10 files, 4 B of 10 B/);
    gate.open('scan');
    await waitFor('the scan to end', async () => (await rig.view()).progress === null);
  });

  it('reads as a line that leaves out what is not known', async () => {
    const rig = await startMirrorHarness();
    const view = await rig.mirror();
    const progress = {
      phase: 'syncing',
      unit: 'files',
      done: 120,
      total: 1000,
      bytesDone: 1024,
      bytesTotal: 10_240,
      filesPerSecond: null,
      bytesPerSecond: null,
      leftMs: null,
    } as const;
    expect(describeActivity({ ...view, progress })).toBe('syncing 120 of 1,000 files, 1.0 KiB of 10.0 KiB');
    const known = { ...progress, filesPerSecond: 40.4, bytesPerSecond: 2048, leftMs: 21_001 };
    expect(describeActivity({ ...view, progress: known })).toBe(
      'syncing 120 of 1,000 files, 1.0 KiB of 10.0 KiB, 40 files/s, 2.0 KiB/s, about 22 s left',
    );
    expect(describeActivity(view)).toBe('up to date, 0 files');
  });
});

type Call = 'read' | 'apply' | 'scan' | 'readPiece' | 'writePiece';

/** Stops a folder at the first read and the first apply, until the test lets them go. */
function createGate() {
  /** How many calls still pass. */
  const shut = new Map<Call, number>([
    ['read', 0],
    ['apply', 0],
  ]);
  const arrived = new Map<Call, number>();
  const waiting: { readonly call: Call; readonly go: () => void }[] = [];
  const pass = (call: Call): Promise<void> => {
    const calls = (arrived.get(call) ?? 0) + 1;
    arrived.set(call, calls);
    if (calls <= (shut.get(call) ?? Number.POSITIVE_INFINITY)) return Promise.resolve();
    return new Promise((go) => waiting.push({ call, go }));
  };
  return {
    hold: (folder: Folder): Folder => ({
      open: (options) => folder.open(options),
      watch: () => folder.watch(),
      scan: (scope) => pass('scan').then(() => folder.scan(scope)),
      markDirty: (directory) => folder.markDirty(directory),
      read: (requests) =>
        requests.length === 0 ? folder.read(requests) : pass('read').then(() => folder.read(requests)),
      apply: (operations) => pass('apply').then(() => folder.apply(operations)),
      readPiece: (request) => pass('readPiece').then(() => folder.readPiece(request)),
      writePiece: (piece) => pass('writePiece').then(() => folder.writePiece(piece)),
      dropPieces: (path, tempName) => folder.dropPieces(path, tempName),
      recover: (intents) => folder.recover(intents),
      mark: (markerId) => folder.mark(markerId),
      writeNotes: (notes) => folder.writeNotes(notes),
      prove: (request) => folder.prove(request),
      rehash: () => folder.rehash(),
      close: () => folder.close(),
    }),
    arrives: (call: Call, calls = 1) => waitFor(`${calls} ${call}`, () => (arrived.get(call) ?? 0) >= calls),
    shut: (call: Call, after = 0) => shut.set(call, after),
    open: (call: Call) => {
      shut.delete(call);
      for (const one of waiting) if (one.call === call) one.go();
    },
  };
}
