import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { ScanScope } from '../../../server/disk/port/folder.ts';
import { type Clock, systemClock } from '../../../server/platform/clock.ts';
import { engineFolder, faultyFileSystem } from '../../support/engine-folder.ts';
import {
  type MirrorHarness,
  type MirrorHarnessOptions,
  startMirrorHarness,
} from '../../support/mirror-harness.ts';
import { waitFor } from '../../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

/** Twelve files, of which ten are gone in the folder. */
async function haltedTwelve(parts: MirrorHarnessOptions = {}): Promise<MirrorHarness> {
  const rig = await startMirrorHarness(parts);
  for (let n = 0; n < 12; n += 1) rig.write(`d/${n}`, `content ${n}`);
  await rig.mirror();
  // At once for the mirror, however slow this machine is.
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  for (let n = 0; n < 10; n += 1) rig.remove(`d/${n}`);
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  await waitForDeletes(rig, 10);
  return rig;
}

async function waitForDeletes(rig: MirrorHarness, deletes: number): Promise<void> {
  await waitFor(`${deletes} deletions to be held back`, async () => {
    await rig.manager.settle({ timeoutMs: 2000 });
    return (await rig.view()).halt?.deletes === deletes;
  });
}

const page = { after: '', limit: 100 };
/** Of a halted mirror, between two looks (server/mirror/loop/watch-mode.ts). */
const restMsMax = 5000;

it('shows what it would delete, with its reason and its two answers, a page at a time', async () => {
  const rig = await haltedTwelve();
  const first = await rig.manager.listPendingDeletions(rig.workspaceId, rig.mirrorId, {
    after: '',
    limit: 3,
  });
  expect(first?.halt).toMatchObject({ reason: 'mass_delete', deletes: 10, answers: ['restore', 'delete'] });
  expect(first?.files.map(({ path }) => path)).toEqual(['/d/0', '/d/1', '/d/2']);
  const second = await rig.manager.listPendingDeletions(rig.workspaceId, rig.mirrorId, {
    after: '/d/2',
    limit: 100,
  });
  expect(second?.files.map(({ path }) => path)).toHaveLength(7);
  expect(Object.keys(await rig.workspace())).toHaveLength(12);
});

it('deletes on "yes, delete them" the files that were shown, and goes on', async () => {
  const rig = await haltedTwelve();
  const answered = await rig.manager.resolveHalt(rig.workspaceId, rig.mirrorId, {
    kind: 'delete',
    deletes: 10,
  });
  expect(answered?.answer.kind).toBe('done');
  await waitFor('the mirror to go on', async () => (await rig.view()).state === 'idle');
  expect(Object.keys(await rig.both())).toEqual(['/d/10', '/d/11']);
  expect((await rig.view()).halt).toBeNull();
  // What was said yes to does not count against what comes after it.
  rig.remove('d/10');
  await rig.settle();
  expect(Object.keys(await rig.both())).toEqual(['/d/11']);
});

it('does not take a yes to ten files for a yes to eleven', async () => {
  const rig = await haltedTwelve();
  rig.remove('d/10');
  await waitForDeletes(rig, 11);
  const answered = await rig.manager.resolveHalt(rig.workspaceId, rig.mirrorId, {
    kind: 'delete',
    deletes: 10,
  });
  expect(answered?.answer).toEqual({ kind: 'changed', deletes: 11 });
  expect(Object.keys(await rig.workspace())).toHaveLength(12);
});

it('asks again after a restart', async () => {
  const rig = await haltedTwelve();
  await rig.restart();
  await waitForDeletes(rig, 10);
  expect((await rig.view()).state).toBe('halted');
  expect(Object.keys(await rig.workspace())).toHaveLength(12);
});

it('brings back on "restore" what is missing', async () => {
  const rig = await haltedTwelve();
  const answered = await rig.manager.resolveHalt(rig.workspaceId, rig.mirrorId, { kind: 'restore' });
  expect(answered?.answer.kind).toBe('done');
  await rig.settle();
  expect(Object.keys(await rig.both())).toHaveLength(12);
  expect((await rig.manager.listPendingDeletions(rig.workspaceId, rig.mirrorId, page))?.files).toEqual([]);
});

it('brings back on "restore" files in whose place an empty directory stands', async () => {
  const rig = await startMirrorHarness();
  for (const name of ['a', 'b']) rig.write(name, `content ${name}`);
  await rig.mirror();
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  for (const name of ['a', 'b']) {
    rig.remove(name);
    mkdirSync(rig.at(name));
  }
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  await waitForDeletes(rig, 2);
  expect((await rig.view()).halt?.reason).toBe('emptied');
  await rig.manager.resolveHalt(rig.workspaceId, rig.mirrorId, { kind: 'restore' });
  await rig.settle();
  expect(await rig.both()).toEqual({ '/a': 'content a', '/b': 'content b' });
});

it('forgets nothing of the mirrored folder that is put back and resumed at once', async () => {
  const rig = await startMirrorHarness();
  for (const name of ['a', 'b']) rig.write(name, `content ${name}`);
  await rig.mirror();
  renameSync(rig.root, `${rig.root}-away`);
  mkdirSync(rig.root);
  await waitFor('the halt', async () => (await rig.view()).halt?.reason === 'root_replaced');
  await rig.delete('/a');
  rmdirSync(rig.root);
  renameSync(`${rig.root}-away`, rig.root);
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  await rig.settle();
  expect(await rig.both()).toEqual({ '/b': 'content b' });
});

/** A halted mirror whose pauses end when the test says so, what it scanned since, and its pauses: in each round a rest and a sleep. */
async function heldTwelve() {
  const scans: ScanScope[] = [];
  const pauses: { readonly ms: number; readonly end: () => void }[] = [];
  let isHeld = false;
  let lastPauseMs = 0;
  let hint = (): void => undefined;
  // A scan of this folder takes nine seconds, before a fifth of one: the sleep is longer than any rest then.
  let scanMs = 0;
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + scanMs,
    delay: (ms, signal) => {
      lastPauseMs = ms;
      if (!isHeld) return systemClock.delay(ms, signal);
      return new Promise((resolve) => {
        pauses.push({ ms, end: resolve });
        signal?.addEventListener('abort', () => resolve());
      });
    },
  };
  const rig = await haltedTwelve({
    clock,
    openFolder: (listener) => {
      hint = () => listener.onHint('dirty');
      const folder = engineFolder(faultyFileSystem({}));
      return {
        ...folder,
        scan: async (scope) => {
          if (isHeld) scans.push(scope);
          if (scope === 'full') scanMs += isHeld ? 9000 : 200;
          return await folder.scan(scope);
        },
      };
    },
  });
  await waitFor('the sleep after its rest', () => lastPauseMs > restMsMax);
  isHeld = true;
  hint();
  const pause = async (number: number) => {
    await waitFor(`pause ${number}`, () => pauses.length > number);
    return pauses[number] ?? expect.unreachable();
  };
  const release = () => {
    isHeld = false;
    for (const { end } of pauses) end();
  };
  return { rig, scans, pause, hint: () => hint(), release };
}

it('looks once a while as long as it is halted, and not without a pause', async () => {
  const { scans, pause } = await heldTwelve();
  await pause(0);
  const before = scans.length;
  for (let number = 0; number < 10; number += 1) {
    (await pause(number)).end();
    await pause(number + 1);
  }
  expect(scans.slice(before)).toEqual(Array.from({ length: 5 }, () => 'full'));
});

it('looks the more seldom the longer that takes; what changes in the folder is looked at alone', async () => {
  const { rig, scans, pause, hint, release } = await heldTwelve();
  for (const number of [0, 1]) (await pause(number)).end();
  const rest = await pause(2);
  expect(scans.at(-1)).toBe('full');
  expect(rest.ms).toBe(5000);
  hint();
  hint();
  expect(scans.at(-1), 'during the rest').toBe('full');
  rest.end();
  // The hints end the sleep after the rest at once.
  const shorter = await pause(4);
  expect(scans.at(-1)).toBe('dirty');
  expect(shorter.ms).toBeLessThan(5000);
  shorter.end();
  expect((await pause(5)).ms, 'until everything is scanned again').toBeGreaterThan(400_000);
  expect(scans.filter((scope) => scope === 'full')).toHaveLength(1);
  for (let n = 0; n < 10; n += 1) rig.write(`d/${n}`, `content ${n}`);
  release();
  await waitFor('the end of the halt', async () => (await rig.view()).halt === null);
});

it('answers who waits by a cycle that began after the question: an answer to the halt may have come between', async () => {
  const scans: ScanScope[] = [];
  let gate: Promise<void> | null = null;
  let hint = (): void => undefined;
  const rig = await haltedTwelve({
    openFolder: (listener) => {
      hint = () => listener.onHint('dirty');
      const folder = engineFolder(faultyFileSystem({}));
      return {
        ...folder,
        scan: async (scope) => {
          const result = await folder.scan(scope);
          scans.push(scope);
          await gate;
          return result;
        },
      };
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const before = scans.length;
  hint();
  await waitFor('a cycle in the middle', () => scans.length > before);
  const settled = rig.manager.settle({ timeoutMs: 30_000 });
  resolve();
  expect((await settled).settled).toBe(false);
  expect(scans.slice(before)).toContain('barrier');
});

it('takes no answer when it is not halted', async () => {
  const rig = await startMirrorHarness();
  rig.write('a', '1');
  await rig.mirror();
  for (const answer of [{ kind: 'restore' }, { kind: 'delete', deletes: 1 }] as const) {
    expect((await rig.manager.resolveHalt(rig.workspaceId, rig.mirrorId, answer))?.answer.kind).toBe(
      'not_halted',
    );
  }
});

it('the guard of one mirror is set, holds at once and after a restart, and halts what is more than it believes', async () => {
  const rig = await startMirrorHarness();
  for (let file = 0; file < 40; file += 1) rig.write(`f${file}`, `${file}`);
  expect((await rig.mirror()).deletesPerMinuteMax).toBe(1_000);
  const set = await rig.manager.setDeletionLimit(rig.workspaceId, rig.mirrorId, 3);
  expect(set?.deletesPerMinuteMax).toBe(3);
  for (let file = 0; file < 3; file += 1) rig.remove(`f${file}`);
  expect((await rig.settle()).halt).toBeNull();
  rig.remove('f3');
  await waitFor('the halt', async () => (await rig.view()).halt?.reason === 'delete_rate');
  expect(await rig.workspace()).toHaveProperty('/f3');
  await rig.restart();
  expect((await rig.view()).deletesPerMinuteMax).toBe(3);
  expect(await rig.manager.setDeletionLimit(rig.workspaceId, 'mir_none', 3)).toBeNull();
});

it('says of a paused mirror how many files it holds, also after a restart', async () => {
  const rig = await startMirrorHarness();
  rig.write('a.md', 'one\n');
  rig.write('b.md', 'two\n');
  await rig.mirror();
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  expect(await rig.view()).toMatchObject({ state: 'paused', files: 2 });
  await rig.restart();
  await waitFor('the mirror to be paused again', async () => (await rig.view()).state === 'paused');
  expect(await rig.view()).toMatchObject({ state: 'paused', files: 2 });
});
