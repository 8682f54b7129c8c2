import { symlinkSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { type MirrorHarness, startMirrorHarness } from '../../support/mirror-harness.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

async function steps(rig: MirrorHarness): Promise<readonly string[]> {
  const planned = await rig.manager.plan(rig.workspaceId, rig.mirrorId);
  return (planned?.run.steps ?? []).map(({ side, action, path, from, rule }) =>
    [side, action, ...(from === null ? [] : [from]), path, rule].join(' '),
  );
}

function stateOf(rig: MirrorHarness, path: string): string | undefined {
  return rig.manager.explain(rig.workspaceId, path)[0]?.state;
}

describe('a dry run', () => {
  it('says of a paused mirror what it would do and why, and does nothing of it', async () => {
    const rig = await startMirrorHarness();
    for (const name of ['edited', 'gone', 'd/moved', 'both.bin']) rig.write(name, `base of ${name}`);
    await rig.put('/there', '1');
    await rig.mirror();
    expect(await steps(rig)).toEqual([]);
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    rig.write('edited', 'new');
    rig.remove('gone');
    rig.rename('d/moved', 'e/moved');
    rig.write('both.bin', 'here');
    await rig.put('/both.bin', 'there');
    await rig.put('/new', 'n');
    await rig.delete('/there');
    const before = { folder: rig.folder(), workspace: await rig.workspace(), events: await rig.events() };
    expect([...(await steps(rig))].sort()).toEqual([
      'folder aside /both.bin both_edited',
      'folder delete /there workspace_deleted',
      'folder write /new workspace_added',
      'workspace delete /gone folder_deleted',
      'workspace move /d/moved /e/moved renamed',
      'workspace write /edited folder_edited',
    ]);
    expect({ folder: rig.folder(), workspace: await rig.workspace(), events: await rig.events() }).toEqual(
      before,
    );
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    expect(await steps(rig)).toEqual([]);
  });

  it('says why it would do nothing', async () => {
    const rig = await startMirrorHarness();
    for (let n = 0; n < 12; n += 1) rig.write(`d/${n}`, `content ${n}`);
    await rig.mirror();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    rig.remove('d');
    const emptied = await rig.manager.plan(rig.workspaceId, rig.mirrorId);
    expect(emptied?.run).toMatchObject({ halt: 'emptied' });
    expect(emptied?.run.steps).toHaveLength(12);
    expect(await rig.manager.plan(rig.workspaceId, 'mir_none')).toBeNull();
  });

  it('follows the mode of its mirror', async () => {
    const rig = await startMirrorHarness();
    await rig.put('/a', '1');
    await rig.mirror({ mode: 'to-folder' });
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    rig.remove('a');
    rig.write('mine', 'm');
    expect(await steps(rig)).toEqual(['folder write /a folder_deleted']);
  });
});

describe('an explanation', () => {
  it('names what stands where, the rule, and what is in the way', async () => {
    const rig = await startMirrorHarness();
    rig.write('.mooringignore', '*.log\n');
    rig.write('same', '1');
    rig.write('a.log', 'l');
    rig.write('real', 'r');
    symlinkSync('real', rig.at('link'));
    await rig.mirror();
    const [same] = rig.manager.explain(rig.workspaceId, '/same');
    expect(same).toMatchObject({ state: 'same', rule: 'equal', problem: null });
    expect(same?.base?.hash).toBe(same?.workspace?.hash);
    expect([stateOf(rig, '/a.log'), stateOf(rig, '/link'), stateOf(rig, '/none')]).toEqual([
      'ignored',
      'not_mirrored',
      'absent',
    ]);
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    expect(stateOf(rig, '/same')).toBe('unknown');
    rig.write('same', 'folder');
    await rig.put('/same', 'workspace');
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    expect(stateOf(rig, '/same')).toBe('conflict');
  });

  it('gives the cause and the next step that the list of problems gives', async () => {
    const rig = await startMirrorHarness();
    rig.write('real', 'r');
    symlinkSync('real', rig.at('link'));
    rig.write('.mooringignore', '*.log\n');
    await rig.put('/there.log', 'l');
    await rig.mirror();
    const { problemList } = await rig.view();
    expect(problemList.map(({ path }) => path)).toEqual(['/link', '/there.log']);
    for (const { kind, path, cause, next } of problemList) {
      const [explained] = rig.manager.explain(rig.workspaceId, path);
      expect(explained?.problem).toEqual({ kind, cause, next, retryAtMs: null });
    }
  });

  it('knows only the mirrors that show the path', async () => {
    const rig = await startMirrorHarness();
    await rig.put('/docs/a', '1');
    await rig.mirror({ path: '/docs' });
    expect(stateOf(rig, '/docs/a')).toBe('same');
    expect(rig.manager.explain(rig.workspaceId, '/elsewhere')).toEqual([]);
  });
});
