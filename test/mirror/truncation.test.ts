// Contents that are emptied or cut off in great number halt a mirror as deletions do; ordinary work does not.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { Mirror } from '../../server/contract/workspaces.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

const page = { after: '', limit: 1000 };

async function mirrored(count: number, content: (n: number) => string): Promise<MirrorHarness> {
  const rig = await startMirrorHarness();
  for (let n = 0; n < count; n += 1) rig.write(`d/${String(n).padStart(4, '0')}`, content(n));
  await rig.mirror();
  return rig;
}

/** The mirror sees nothing of it before all of it is done, however slow this machine is. */
async function unseen(rig: MirrorHarness, act: () => void): Promise<void> {
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  act();
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
}

async function waitForHeld(rig: MirrorHarness, held: number): Promise<NonNullable<Mirror['halt']>> {
  await waitFor(`${held} changes to be held back`, async () => {
    await rig.manager.settle({ timeoutMs: 2000 });
    return (await rig.view()).halt?.deletes === held;
  });
  return (await rig.view()).halt as NonNullable<Mirror['halt']>;
}

it('halts when a tool truncates 2,000 files, and lists them with both sizes', async () => {
  const rig = await mirrored(2000, (n) => `content ${n}`);
  await unseen(rig, () => {
    execFileSync('sh', ['-c', 'cd "$1" && for file in d/*; do : > "$file"; done', 'sh', rig.root]);
  });
  const halt = await waitForHeld(rig, 2000);
  expect(halt).toMatchObject({ reason: 'emptied', truncations: 2000, answers: ['restore', 'delete'] });
  expect(halt.cause).toContain('truncated');
  const held = await rig.manager.listPendingDeletions(rig.workspaceId, rig.mirrorId, page);
  expect(held?.files).toHaveLength(1000);
  expect(held?.files[0]).toMatchObject({
    path: '/d/0000',
    change: 'truncation',
    sizeBytes: 9,
    sizeAfterBytes: 0,
  });
  expect((await rig.workspace())['/d/1999']).toBe('content 1999');
});

it('restores emptied files, also after a restart, and no copy appears', async () => {
  const rig = await mirrored(12, (n) => `content ${n}`);
  const before = await rig.both();
  await unseen(rig, () => {
    execFileSync('sh', ['-c', 'cd "$1" && truncate -s 0 d/*', 'sh', rig.root]);
  });
  expect(await waitForHeld(rig, 12)).toMatchObject({ reason: 'emptied' });
  await rig.restart();
  await waitForHeld(rig, 12);
  await rig.manager.resolveHalt(rig.workspaceId, rig.mirrorId, { kind: 'restore' });
  await rig.settle();
  expect(await rig.both()).toEqual(before);
  expect((await rig.view()).conflicts).toBe(0);
});

it('restores what is left of a content, too: the rest of it goes into the history, and no copy appears', async () => {
  const rig = await mirrored(12, (n) => `${n}`.repeat(5000));
  const before = await rig.both();
  await unseen(rig, () => {
    for (let n = 0; n < 8; n += 1) truncateSync(rig.at(`d/000${n}`), 400);
  });
  expect(await waitForHeld(rig, 8)).toMatchObject({ reason: 'mass_delete', truncations: 8 });
  await rig.manager.resolveHalt(rig.workspaceId, rig.mirrorId, { kind: 'restore' });
  await rig.settle();
  expect(await rig.both()).toEqual(before);
  expect((await rig.view()).conflicts).toBe(0);
  const history = await rig.workspaces.history(rig.workspaceId, '/d/0003', 10, null);
  expect(history.map(({ sizeBytes }) => sizeBytes)).toEqual([5000, 400, 5000]);
});

it('takes a yes for the very changes that were shown, and carries them', async () => {
  const rig = await mirrored(12, (n) => `content ${n}`);
  await unseen(rig, () => {
    for (let n = 0; n < 6; n += 1) truncateSync(rig.at(`d/000${n}`));
    rig.remove('d/0006');
  });
  expect(await waitForHeld(rig, 7)).toMatchObject({ truncations: 6 });
  const held = await rig.manager.listPendingDeletions(rig.workspaceId, rig.mirrorId, page);
  expect(held?.files.at(-1)).toMatchObject({ change: 'deletion', sizeBytes: 9, sizeAfterBytes: null });
  // A file whose truncation was shown is gone by now: that was not shown.
  rig.remove('d/0000');
  await waitFor('the list to be another one', async () => {
    await rig.manager.settle({ timeoutMs: 2000 });
    const halt = (await rig.view()).halt;
    return halt?.truncations === 5 && halt.deletes === 7;
  });
  const answered = await rig.manager.resolveHalt(rig.workspaceId, rig.mirrorId, {
    kind: 'delete',
    deletes: 7,
  });
  expect(answered?.answer).toEqual({ kind: 'done' });
  await waitFor('the mirror to continue', async () => (await rig.view()).state === 'idle');
  const both = await rig.both();
  expect(Object.keys(both)).toHaveLength(10);
  expect(both['/d/0005']).toBe('');
});

it('keeps the halt over a restart, and ends it when the contents are back', async () => {
  const rig = await mirrored(12, (n) => `content ${n}`);
  await unseen(rig, () => {
    for (let n = 0; n < 8; n += 1) truncateSync(rig.at(`d/000${n}`));
  });
  await waitForHeld(rig, 8);
  await rig.restart();
  expect(await waitForHeld(rig, 8)).toMatchObject({ truncations: 8 });
  for (let n = 0; n < 8; n += 1) rig.write(`d/000${n}`, `content ${n}`);
  await waitFor('the mirror to continue', async () => (await rig.view()).state === 'idle');
  expect((await rig.both())['/d/0000']).toBe('content 0');
});

it('counts what was truncated a moment ago, as it counts deletions', async () => {
  const rig = await mirrored(12, (n) => `content ${n}`);
  for (let n = 0; n < 5; n += 1) truncateSync(rig.at(`d/000${n}`));
  await rig.settle();
  for (let n = 5; n < 9; n += 1) truncateSync(rig.at(`d/000${n}`));
  await waitFor('the mirror to halt', async () => {
    await rig.manager.settle({ timeoutMs: 2000 });
    return (await rig.view()).state === 'halted';
  });
  // On a busy machine the first of the four is seen before the others, and may be carried.
  const halt = (await rig.view()).halt;
  expect(halt).toMatchObject({ reason: 'mass_delete' });
  expect(halt?.truncations).toBe(halt?.deletes);
  expect((await rig.workspace())['/d/0008']).toBe('content 8');
});

it('does not halt for one file that is rotated again and again', async () => {
  const rig = await mirrored(12, (n) => `content ${n}`);
  for (let round = 0; round < 13; round += 1) {
    appendFileSync(rig.at('d/0000'), 'a line\n'.repeat(1000));
    await rig.settle();
    rig.write(`d/rotated.${round}`, rig.read('d/0000'));
    truncateSync(rig.at('d/0000'));
    expect((await rig.settle()).halt).toBeNull();
  }
  expect((await rig.both())['/d/0000']).toBe('');
});

it('does not halt for a checkout, nor for programs that empty each file before they write it', async () => {
  const rig = await mirrored(0, String);
  const git = (...args: readonly string[]) => {
    const ran = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: rig.root });
    if (ran.status !== 0) throw new Error(String(ran.stderr));
  };
  git('init', '-q', '-b', 'one');
  for (let n = 0; n < 60; n += 1) rig.write(`src/${n}`, 'x'.repeat(5000 + n));
  git('add', '.');
  git('commit', '-qm', 'one');
  await rig.settle();
  git('checkout', '-qb', 'two');
  for (let n = 0; n < 40; n += 1) rig.write(`src/${n}`, 'y'.repeat(4000 + n));
  git('commit', '-qam', 'two');
  git('checkout', '-q', 'one');
  await rig.settle();
  git('checkout', '-q', 'two');
  expect((await rig.settle()).halt).toBeNull();
  // A build: every file is opened with O_TRUNC, left empty for a moment, and written.
  const handles = Array.from({ length: 60 }, (_, n) => openSync(rig.at(`src/${n}`), 'w'));
  const looking = rig.manager.settle({ timeoutMs: 30_000 });
  for (const [n, handle] of handles.entries()) {
    writeSync(handle, 'z'.repeat(6000 + n));
    closeSync(handle);
  }
  expect(await looking).toMatchObject({ settled: true, mirrors: [{ halt: null }] });
  expect(readFileSync(rig.at('src/7'), 'utf8')).toHaveLength(6007);
  expect((await rig.workspace())['/src/7']).toHaveLength(6007);
});

it('carries what the workspace empties: the folder is told of it as of any change', async () => {
  const rig = await mirrored(12, (n) => `content ${n}`);
  for (let n = 0; n < 9; n += 1) await rig.put(`/d/000${n}`, '');
  expect((await rig.settle()).halt).toBeNull();
  expect((await rig.both())['/d/0008']).toBe('');
});
