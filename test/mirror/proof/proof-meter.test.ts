import { symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { describeProof } from '../../../server/cli/shared/mirror-text.ts';
import type { FileStat } from '../../../server/disk/port/file-system.ts';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { createProcessorShares, ProcessorShare } from '../../../server/mirror/state/processor-shares.ts';
import { engineFolder, faultyFileSystem } from '../../support/engine-folder.ts';
import { type MirrorHarness, startMirrorHarness } from '../../support/mirror-harness.ts';
import { scaled } from '../../support/scale.ts';
import { waitFor } from '../../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

const timeoutMs = 60_000;
/** It waits for rest first, on a machine that may do much else. */
const patiently = { deadlineMs: 90_000 };
const atOnce = { firstRehashMs: 0, standsMs: 0 };

async function prove(rig: MirrorHarness, waitMs = timeoutMs): Promise<string | undefined> {
  const signal = new AbortController().signal;
  const proved = await rig.manager.prove(rig.workspaceId, rig.mirrorId, { timeoutMs: waitMs, signal });
  return proved?.outcome;
}

/** A disk that shows a file as it was when it was told to: its content changes without a trace. */
function forgetfulDisk(): { fs: ReturnType<typeof faultyFileSystem>; freeze: (path: string) => void } {
  let frozen: { path: string; stat: FileStat } | null = null;
  const isIt = (stat: FileStat | null) => frozen !== null && stat?.inode === frozen.stat.inode;
  return {
    fs: faultyFileSystem({
      lstat: (path) => {
        const stat = nodeFileSystem.lstat(path);
        return frozen !== null && isIt(stat) ? frozen.stat : stat;
      },
      fstat: (handle) => {
        const stat = nodeFileSystem.fstat(handle);
        return frozen !== null && isIt(stat) ? frozen.stat : stat;
      },
    }),
    freeze(path) {
      const stat = nodeFileSystem.lstat(path);
      if (stat === null) throw new Error(`${path} is not there`);
      frozen = { path, stat };
    },
  };
}

describe('a proof', () => {
  it('says equal, of how much, and when', async () => {
    const rig = await startMirrorHarness();
    for (let n = 0; n < 20; n += 1) rig.write(`d${n % 3}/${n}`, `content ${n}`);
    await rig.mirror();
    expect((await rig.view()).proof).toMatchObject({ state: 'proving', last: null });
    expect(await prove(rig)).toBe('equal');
    const { proof } = await rig.view();
    expect(proof).toMatchObject({
      state: 'equal',
      alarm: null,
      last: { files: 20, bytes: 190, leftOut: 0, hashedFiles: 20, hashedBytes: 190 },
    });
    await rig.put('/d1/1', 'changed');
    await rig.settle();
    expect((await rig.view()).proof.state).toBe('proving');
    expect(await prove(rig)).toBe('equal');
    expect((await rig.view()).proof.last?.root).not.toBe(proof.last?.root);
  });

  it('is known after a restart, as what it was before it, until it is proved again', async () => {
    const rig = await startMirrorHarness();
    rig.write('a', '1');
    await rig.mirror();
    expect(await prove(rig)).toBe('equal');
    const { last } = (await rig.view()).proof;
    await rig.restart();
    rig.write('a', 'changed since');
    await rig.settle();
    expect((await rig.view()).proof).toMatchObject({ state: 'proving', last: null, beforeRestart: last });
    expect(describeProof((await rig.view()).proof)).toMatch(
      /^proved equal at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, before the restart, not verified since$/,
    );
    expect(await prove(rig)).toBe('equal');
    expect((await rig.view()).proof).toMatchObject({ state: 'equal', beforeRestart: null });
    expect((await rig.view()).proof.last?.root).not.toBe(last?.root);
    // What is stored is the newer one.
    expect((await rig.store.mirrors.lastProof(rig.mirrorId))?.root).toBe((await rig.view()).proof.last?.root);
    await rig.store.mirrors.clearBase({ mirrorId: rig.mirrorId });
    expect(await rig.store.mirrors.lastProof(rig.mirrorId)).toBeNull();
  });

  it('leaves out what is listed, and counts it', async () => {
    const rig = await startMirrorHarness();
    rig.write('.mooringignore', '*.log\n');
    rig.write('kept/a', '1');
    await rig.put('/there.log', 'ignored here');
    symlinkSync('kept/a', rig.at('link'));
    await rig.mirror();
    expect(await prove(rig)).toBe('equal');
    expect((await rig.view()).proof.last).toMatchObject({ files: 2, leftOut: 2 });
  });

  it('counts a one-way mirror as equal but for what it keeps', async () => {
    const rig = await startMirrorHarness();
    await rig.put('/a', '1');
    await rig.mirror({ mode: 'to-workspace' });
    rig.write('b', '2');
    await rig.settle();
    await rig.put('/b', 'over there');
    await rig.settle();
    expect(await prove(rig)).toBe('equal');
    expect((await rig.view()).proof.last).toMatchObject({ files: 0, leftOut: 2 });
  });

  it('is of before a change that came after it, in a pause too', async () => {
    const rig = await startMirrorHarness();
    rig.write('a', '1');
    await rig.mirror();
    await prove(rig);
    rig.write('b', '2');
    await rig.settle();
    const text = async () => describeProof((await rig.view()).proof);
    expect(await text()).toMatch(
      /^proved equal at \d\d:\d\d:\d\d \(1 file, all hashed\), not verified since$/,
    );
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    expect((await rig.view()).proof).toMatchObject({ state: 'unproven', last: { files: 1 } });
    expect(await text()).toMatch(/, not verified since$/);
  });

  it('stands until a pause, and says that it is of before', async () => {
    const rig = await startMirrorHarness();
    rig.write('a', '1');
    await rig.mirror();
    await prove(rig);
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    expect((await rig.view()).proof).toMatchObject({ state: 'equal-until-pause', last: { files: 1 } });
    expect(await prove(rig)).toBe('inconclusive');
    expect(
      await rig.manager.prove(rig.workspaceId, 'mir_none', {
        timeoutMs,
        signal: new AbortController().signal,
      }),
    ).toBeNull();
  });

  it('is never an alarm while both sides are written', async () => {
    const alarms: string[] = [];
    const rig = await startMirrorHarness({ onProofAlarm: () => alarms.push('alarm') });
    for (let n = 0; n < 50; n += 1) rig.write(`d${n % 5}/${n}`, 'a');
    await rig.mirror();
    let writing = true;
    const work = (async () => {
      for (let n = 0; writing; n += 1) {
        // The same few contents come back, so that what was seen once looks like what was agreed on.
        rig.write(`d${n % 5}/${n % 50}`, n % 2 === 0 ? 'b' : 'a');
        await rig.put(`/w/${n % 10}`, n % 3 === 0 ? 'x' : 'y');
      }
    })();
    const outcomes = new Set<string | undefined>();
    for (let left = scaled(2, 3); left > 0; left -= 1) outcomes.add(await prove(rig, scaled(2000, 3000)));
    writing = false;
    await work;
    expect(outcomes.has('not_equal')).toBe(false);
    await rig.settle();
    expect(await prove(rig)).toBe('equal');
    expect(alarms).toEqual([]);
  });
});

describe('an alarm', () => {
  it('is raised by content that changed while size, times and inode stayed', async () => {
    const alarms: string[] = [];
    const disk = forgetfulDisk();
    const rig = await startMirrorHarness({
      openFolder: () => engineFolder(disk.fs),
      onProofAlarm: () => alarms.push('alarm'),
    });
    for (const name of ['a', 'd/b', 'd/c']) rig.write(name, `content of ${name}`);
    await rig.mirror();
    // Trusted by its times from now on.
    await waitFor(
      'a scan that trusts it',
      async () => {
        await rig.settle();
        return (await rig.store.mirrors.listBase(rig.mirrorId, '', 1000)).every(({ trusted }) => trusted);
      },
      patiently,
    );
    expect(await prove(rig)).toBe('equal');
    disk.freeze(rig.at('d/b'));
    writeFileSync(rig.at('d/b'), 'CONTENT OF d/b');
    await rig.settle();
    expect(await prove(rig)).toBe('not_equal');
    const view = await rig.view();
    expect(view.proof).toMatchObject({ state: 'not-equal', alarm: { files: 1, paths: ['/d/b'] } });
    expect(view.problemList).toMatchObject([{ kind: 'not_equal', path: '/d/b' }]);
    expect(alarms).toHaveLength(1);
    // Nothing of it was carried, and it stays an alarm until somebody decides.
    expect((await rig.workspace())['/d/b']).toBe('content of d/b');
    expect(await prove(rig)).toBe('not_equal');
    expect(alarms).toHaveLength(1);
  });

  it('is raised by a stored base that says something else, which is then written down again', async () => {
    const rig = await startMirrorHarness();
    for (const name of ['a', 'b', 'c']) rig.write(name, name);
    await rig.mirror();
    // What was touched a moment ago is looked at again by a full scan, as a proof makes, and written down again with it.
    const [first, second] = await waitFor('all to be trusted', async () => {
      await prove(rig);
      const rows = await rig.store.mirrors.listBase(rig.mirrorId, '', 1000);
      return rows.every(({ trusted }) => trusted) ? rows : null;
    });
    if (first === undefined || second === undefined) throw new Error('nothing was agreed on');
    await rig.store.mirrors.saveBase({
      mirrorId: rig.mirrorId,
      upserts: [{ ...first, hash: '00'.repeat(32) }],
      removals: [second.path],
    });
    expect(await prove(rig)).toBe('not_equal');
    expect((await rig.view()).proof.alarm?.paths).toEqual([first.path, second.path]);
    await rig.settle();
    expect(await prove(rig)).toBe('equal');
    expect((await rig.view()).proof).toMatchObject({ state: 'equal', alarm: null });
    expect(await rig.both()).toEqual({ '/a': 'a', '/b': 'b', '/c': 'c' });
  });

  it('is raised by a workspace that changed and told nothing of it', async () => {
    let hides = false;
    const rig = await startMirrorHarness({
      met: (workspaces) => ({
        ...workspaces,
        listFiles: async (...asked) => {
          const files = await workspaces.listFiles(...asked);
          return hides ? files.filter(({ path }) => path !== '/b') : files;
        },
      }),
    });
    for (const name of ['a', 'b', 'c']) rig.write(name, name);
    await rig.mirror();
    hides = true;
    expect(await prove(rig)).toBe('not_equal');
    expect((await rig.view()).proof.alarm?.paths).toEqual(['/b']);
    hides = false;
  });
});

/** Notes who works in the share, and who leaves it. */
class NotedShare extends ProcessorShare {
  readonly notes: string[] = [];
  override restMs(mirrorId: string, workMs: number): number {
    this.notes.push('works');
    return super.restMs(mirrorId, workMs);
  }
  override leave(mirrorId: string): void {
    this.notes.push('leaves');
    super.leave(mirrorId);
  }
}

describe('by itself', () => {
  it('leaves its part of the processor to other mirrors once it has rested, and when its session ends', async () => {
    const proofs = new NotedShare(10);
    const rig = await startMirrorHarness({
      provesByItself: true,
      processorShares: { ...createProcessorShares(), proofs },
    });
    rig.write('a', 'x');
    await rig.mirror();
    await waitFor('a proof', () => proofs.notes.includes('works'), patiently);
    await waitFor('its rest', () => proofs.notes.at(-1) === 'leaves', patiently);
    expect((await rig.view()).proof.state).toBe('equal');
    const before = proofs.notes.length;
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    await waitFor('the end of the session', () => proofs.notes.length > before, patiently);
    expect(proofs.notes.at(-1)).toBe('leaves');
  });

  it('proves a mirror once nothing moves, and hashes everything once more in the background', async () => {
    const rig = await startMirrorHarness({ provesByItself: true, proofPace: atOnce });
    for (let n = 0; n < 5; n += 1) rig.write(`f${n}`, 'x');
    await rig.mirror();
    const proof = await waitFor(
      'a proof and a pass over all files',
      async () => {
        const view = (await rig.view()).proof;
        return view.state === 'equal' && view.rehashedAt !== null ? view : null;
      },
      patiently,
    );
    expect(proof.last).toMatchObject({ files: 5, leftOut: 0 });
  });

  it('finds content that changed without a trace, and proves before it says so', async () => {
    const disk = forgetfulDisk();
    const rig = await startMirrorHarness({ openFolder: () => engineFolder(disk.fs) });
    rig.write('a', 'before');
    await rig.mirror();
    await waitFor(
      'a scan that trusts it',
      async () => {
        await rig.settle();
        return (await rig.store.mirrors.listBase(rig.mirrorId, '', 1000)).every(({ trusted }) => trusted);
      },
      patiently,
    );
    disk.freeze(rig.at('a'));
    writeFileSync(rig.at('a'), 'AFTER!');
    await rig.restart({ provesByItself: true, proofPace: atOnce, openFolder: () => engineFolder(disk.fs) });
    await waitFor('the alarm', async () => (await rig.view()).proof.state === 'not-equal', patiently);
    expect((await rig.view()).proof.alarm?.paths).toEqual(['/a']);
  });
});
