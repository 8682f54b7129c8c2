// A `.mooringignore` with far too many rules: nothing is lost or uploaded by surprise, it is listed with what to do, and the agent
// goes on to answer. Whoever may write one file must not be able to stop it.
import { existsSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { IgnoreRules, ignoreRulesMax } from '../../../server/disk/names/ignore.ts';
import { decideIgnored } from '../../../server/mirror/state/slices.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { startMirrorHarness } from '../../support/mirror-harness.ts';
import { waitFor } from '../../support/wait-for.ts';

// Settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

const tooManyRules = Array.from({ length: 219_000 }, (_, at) => `${at.toString(36)}\n`).join('');
/** Processor time of the agent's main thread from the write until all is at rest; on the old rules each path took 0.5 s of it. */
const mainThreadMsMax = 3_000;

it('stops the sync of its directory until it is shortened, and deletes and uploads nothing', async () => {
  const rig = await startMirrorHarness();
  rig.write('.mooringignore', 'secret.txt\n');
  rig.write('secret.txt', 'of the folder alone');
  rig.write('tracked.txt', 'first');
  for (let at = 0; at < 40; at += 1) rig.write(`many/${at}.txt`, `${at}`);
  await rig.put('/gone.txt', 'to be deleted');
  await rig.mirror();

  const before = process.threadCpuUsage();
  await rig.put('/.mooringignore', tooManyRules);
  await rig.delete('/gone.txt');
  await rig.put('/new.txt', 'of the workspace alone');
  const listed = await waitFor('the problem of the rule file', async () =>
    (await rig.view()).problemList.find(({ kind }) => kind === 'ignore_rules'),
  );
  expect(listed).toMatchObject({
    path: '/.mooringignore',
    cause: expect.stringContaining('It has 219000 rules; 1000 are applied at most'),
    next: 'Shorten the file, in the folder or in the workspace.',
  });
  rig.write('tracked.txt', 'second');
  await rig.settle();
  const states = await rig.manager.pathStates(rig.workspaceId, ['/tracked.txt', '/many/1.txt']);
  expect(states.map(([state]) => state?.state)).toEqual(['ignored', 'ignored']);
  expect(rig.manager.explain(rig.workspaceId, '/new.txt')[0]?.text).toContain('/.mooringignore');
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000, 'milliseconds of the main thread').toBeLessThan(mainThreadMsMax);
  expect(existsSync(rig.at('gone.txt'))).toBe(true);
  expect(existsSync(rig.at('new.txt'))).toBe(false);
  const workspace = await rig.workspace();
  expect(workspace).not.toHaveProperty('/secret.txt');
  expect(workspace['/tracked.txt']).toBe('first');

  // What it is after a restart follows from the file, not from what was remembered.
  await rig.restart();
  await rig.settle();
  expect(await rig.workspace()).not.toHaveProperty('/secret.txt');

  await rig.put('/.mooringignore', 'secret.txt\n');
  await waitFor('both sides to be in step', async () => {
    const { '/secret.txt': _, ...folder } = rig.folder();
    expect(folder).toEqual(await rig.workspace());
    return true;
  });
  expect((await rig.workspace())['/tracked.txt']).toBe('second');
  expect(existsSync(rig.at('gone.txt'))).toBe(false);
  expect((await rig.view()).problemList).toEqual([]);
});

it('a preview says that such rules would not be applied', async () => {
  const rig = await startMirrorHarness();
  rig.write('a.txt', 'a');
  await rig.mirror();
  const preview = await rig.manager.previewRules(rig.workspaceId, rig.mirrorId, tooManyRules);
  expect(preview).toMatchObject({ fault: 'It has 219000 rules; 1000 are applied at most' });
});

it('the costliest rules that are applied hold up the agent in slices only', async () => {
  const rules = IgnoreRules.from([
    {
      directory: '/',
      text: Array.from({ length: ignoreRulesMax }, (_, at) => `[a-z]*[0-9]${at}?x*y\n`).join(''),
    },
  ]);
  const paths = Array.from({ length: 300 }, (_, at) => `/a/b/c/d/e/${'ab'.repeat(60)}-${at}.txt`);
  let turns = 0;
  let running = true;
  const count = () => {
    turns += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await decideIgnored(rules, paths, systemClock);
  running = false;
  // 300 paths take 0.3 s; a slice ends after 10 ms.
  expect(turns).toBeGreaterThan(10);
  const before = process.threadCpuUsage();
  for (const path of paths) expect(rules.ignores(path)).toBe(false);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000, 'milliseconds to ask again').toBeLessThan(50);
});
