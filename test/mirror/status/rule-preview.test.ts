// What other ignore rules would change, before they are written.
import { expect, it, vi } from 'vitest';
import { startMirrorHarness } from '../../support/mirror-harness.ts';

// Settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

it('names what would be left out and what would be carried again, and changes nothing', async () => {
  const rig = await startMirrorHarness();
  rig.write('.mooringignore', '*.log\n');
  rig.write('docs/.mooringignore', 'draft.md\n');
  for (const name of ['a.md', 'build/x.js', 'build/deep/y.js', 'docs/draft.md']) rig.write(name, name);
  await rig.put('/old.log', 'of the workspace');
  await rig.put('/docs/draft.md', 'of the workspace');
  await rig.mirror();
  const before = { folder: rig.folder(), workspace: await rig.workspace() };
  const preview = async (rules: string) => {
    const found = await rig.manager.previewRules(rig.workspaceId, rig.mirrorId, rules);
    if (found === null || found === 'asleep') throw new Error(`no preview: ${found}`);
    return found;
  };
  expect(await preview('*.log\n')).toMatchObject({ leftOut: [], carried: [] });
  expect(await preview('build/\n')).toMatchObject({
    leftOut: ['/build/deep/y.js', '/build/x.js'],
    carried: ['/old.log'],
  });
  // The rule file of a directory goes on to hold.
  expect(await preview('')).toMatchObject({ leftOut: [], carried: ['/old.log'] });
  expect({ folder: rig.folder(), workspace: await rig.workspace() }).toEqual(before);

  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  expect(await rig.manager.previewRules(rig.workspaceId, rig.mirrorId, '')).toBe('asleep');
  expect(await rig.manager.previewRules(rig.workspaceId, 'mir_none', '')).toBeNull();
});
