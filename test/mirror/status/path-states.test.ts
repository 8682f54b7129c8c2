import { existsSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { pathStatesOf } from '../../../server/mirror/status/path-states.ts';
import { engineFolder } from '../../support/engine-folder.ts';
import { type MirrorHarness, startMirrorHarness } from '../../support/mirror-harness.ts';
import { waitFor } from '../../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });
/** Only turns a hang into a failure. */
const deadlineMs = 90_000;

async function states(
  rig: MirrorHarness,
  ...paths: readonly string[]
): Promise<readonly (string | undefined)[]> {
  return (await rig.manager.pathStates(rig.workspaceId, paths)).map((seen) => seen[0]?.state);
}

it('a path is the same, ignored, refused with its cause, or in conflict; a directory is as the worst below it', async () => {
  const rig = await startMirrorHarness();
  rig.write('.mooringignore', '*.log\nbuild/\n');
  rig.write('docs/deep/same', '1');
  rig.write('docs/both', 'base');
  symlinkSync('same', rig.at('docs/deep/link'));
  await rig.put('/docs/there.log', 'l');
  await rig.put('/build/out', 'o');
  await rig.put('/other/a', 'a');
  await rig.mirror();
  expect(
    await states(rig, '/docs/deep/same', '/docs/there.log', '/docs/deep/link', '/build', '/none'),
  ).toEqual(['same', 'ignored', 'refused', 'ignored', 'absent']);
  expect(await states(rig, '/', '/docs', '/docs/deep', '/other')).toEqual([
    'refused',
    'refused',
    'refused',
    'same',
  ]);
  expect(await rig.manager.pathStates(rig.workspaceId, ['/docs/deep/link', '/docs'])).toMatchObject([
    [{ mirrorId: rig.mirrorId, why: 'Links are not followed and not synced.', next: expect.any(String) }],
    [{ why: '1 path below it is not up to date.' }],
  ]);
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  rig.write('docs/both', 'folder');
  await rig.put('/docs/both', 'workspace');
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  await rig.settle();
  expect(await states(rig, '/docs/both', '/docs', '/other')).toEqual(['conflict', 'conflict', 'same']);
  // A conflict is known also while the mirror does not look; nothing else is.
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  expect(await states(rig, '/docs/both', '/other/a', '/other')).toEqual(['conflict', 'unknown', 'unknown']);
});

it('thousands of links leave the state of other directories known', async () => {
  const rig = await startMirrorHarness();
  rig.write('links/file', '1');
  rig.write('other/file', '1');
  for (let link = 0; link < 2_100; link += 1) symlinkSync('file', rig.at(`links/link-${link}`));
  await rig.mirror();
  expect(await states(rig, '/', '/links', '/other')).toEqual(['refused', 'refused', 'same']);
  const [seen] = await rig.manager.pathStates(rig.workspaceId, ['/links']);
  expect(seen?.[0]?.why).toBe('2,100 paths below it are not up to date.');
});

it('what comes and what goes is told apart while it is on its way, and nothing before both sides were seen', async () => {
  const rig = await startMirrorHarness();
  rig.write('a', '1');
  rig.write('c', '1');
  await rig.put('/b', '1');
  await rig.mirror();
  let held = Promise.withResolvers<void>();
  await rig.restart({
    met: (workspaces) => ({
      ...workspaces,
      change: async (command) => {
        await held.promise;
        return await workspaces.change(command);
      },
      readContent: async (hash) => {
        await held.promise;
        return await workspaces.readContent(hash);
      },
    }),
  });
  try {
    // Before the first look only what was once agreed on is known.
    expect(await states(rig, '/a', '/')).toEqual(['unknown', 'unknown']);
    rig.write('a', 'edited in the folder');
    await waitFor('the edit to be on its way', async () => (await states(rig, '/a'))[0] === 'sending', {
      deadlineMs,
    });
    expect(await states(rig, '/', '/c')).toEqual(['sending', 'same']);
    held.resolve();
    await rig.settle();
    held = Promise.withResolvers<void>();
    await rig.put('/b', 'edited in the workspace');
    await waitFor('the edit to come', async () => (await states(rig, '/b'))[0] === 'receiving', {
      deadlineMs,
    });
    expect(await states(rig, '/', '/c')).toEqual(['receiving', 'same']);
  } finally {
    held.resolve();
  }
  await rig.settle();
  expect(await states(rig, '/a', '/b', '/')).toEqual(['same', 'same', 'same']);
});

it('what lies below something that cannot be looked into is refused, and says what is above it', async () => {
  const rig = await startMirrorHarness();
  rig.write('shut/a', '1');
  await rig.mirror();
  const elsewhere = path.join(rig.base, 'elsewhere');
  renameSync(rig.at('shut'), elsewhere);
  symlinkSync(elsewhere, rig.at('shut'));
  await rig.settle();
  expect(await rig.manager.pathStates(rig.workspaceId, ['/shut/a'])).toMatchObject([
    [
      {
        state: 'refused',
        why: '/shut contains it and is not synced. Links are not followed and not synced.',
      },
    ],
  ]);
  expect(await states(rig, '/shut', '/')).toEqual(['refused', 'refused']);
});

it('a halted mirror carries nothing: what waits is refused with the halt as its cause', async () => {
  const rig = await startMirrorHarness();
  for (let n = 0; n < 12; n += 1) rig.write(`d/${n}`, `content ${n}`);
  await rig.put('/e/kept', 'e');
  await rig.mirror();
  rig.remove('d');
  rig.remove('e');
  await waitFor('the halt', async () => (await rig.view()).state === 'halted', { deadlineMs });
  expect(await states(rig, '/d/1', '/d')).toEqual(['refused', 'refused']);
  expect(await rig.manager.pathStates(rig.workspaceId, ['/d/1'])).toMatchObject([
    [{ why: expect.stringContaining('missing') }],
  ]);
});

it('a halted mirror does not send what is in motion either', async () => {
  const rig = await startMirrorHarness();
  await rig.restart({
    openFolder: () => {
      const folder = engineFolder(nodeFileSystem);
      return {
        ...folder,
        // As long as it is shown to be in motion, whatever the speed of this machine.
        scan: async (scope) => {
          const seen = await folder.scan(scope);
          const moving = existsSync(rig.at('d')) ? [] : ['/d/1'];
          return { ...seen, unsettled: [...new Set([...seen.unsettled, ...moving])] };
        },
      };
    },
  });
  for (let n = 0; n < 12; n += 1) rig.write(`d/${n}`, `content ${n}`);
  await rig.mirror();
  rig.remove('d');
  await waitFor('the halt', async () => (await rig.view()).state === 'halted', { deadlineMs });
  expect(await states(rig, '/d/1', '/d', '/')).toEqual(['refused', 'refused', 'refused']);
  expect(await rig.manager.pathStates(rig.workspaceId, ['/d/1'])).toMatchObject([
    [{ why: expect.stringContaining('missing') }],
  ]);
});

it('of several mirrors each says its own, and only those that show the path', async () => {
  const rig = await startMirrorHarness();
  await rig.put('/docs/a', '1');
  await rig.put('/docsy/a', '1');
  await rig.mirror({ path: '/docs' });
  const seen = await rig.manager.pathStates(rig.workspaceId, ['/docs', '/docs/a', '/docsy/a', '/']);
  const sizes = seen.map(({ length }) => length);
  expect(sizes).toEqual([1, 1, 0, 0]);
  expect(await states(rig, '/docs')).toEqual(['same']);
});

it('states of many paths look at each conflict once', () => {
  let lookedAt = 0;
  const conflicts = Array.from({ length: 500 }, (_, n) => ({
    get path() {
      lookedAt += 1;
      return `/c${n}`;
    },
    copyPath: `/c${n} (conflict)`,
  }));
  const row = { mirrorId: 'mir_1', rootPath: '/', mode: 'two-way', dir: '/x' };
  const mirror = { row, session: null, halt: { cause: null }, conflicts, failure: null };
  const paths = Array.from({ length: 1_000 }, (_, n) => `/c${n}`);
  const states = pathStatesOf(mirror as unknown as Parameters<typeof pathStatesOf>[0], paths);
  expect(states.get('/c499')?.state).toBe('conflict');
  expect(states.get('/c500')?.state).toBe('unknown');
  expect(lookedAt).toBe(500);
});
