// Renames at the edges: refused, out of sight and into it, side by side, and names that look like something else.
import { describe, expect, it, vi } from 'vitest';
import type { WorkspaceService } from '../../server/workspaces/service.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

async function mirrored(files: Readonly<Record<string, string>>): Promise<MirrorHarness> {
  const rig = await startMirrorHarness();
  for (const [name, content] of Object.entries(files)) rig.write(name, content);
  await rig.mirror();
  return rig;
}

async function actions(rig: MirrorHarness, path: string): Promise<readonly string[]> {
  return (await rig.workspaces.history(rig.workspaceId, path, 10, null)).map(({ action }) => action);
}

describe('a move', () => {
  it('that the workspace refuses is listed, doubles nothing, and is carried once it is allowed', async () => {
    let refuses = true;
    const met = (workspaces: WorkspaceService): WorkspaceService => ({
      ...workspaces,
      change: async (command) => {
        if (!refuses) return await workspaces.change(command);
        // What else changed may come in the same command.
        const others = command.changes.filter(({ kind }) => kind !== 'move_file');
        const answers = [...(await workspaces.change({ ...command, changes: others }))];
        const refusal = {
          ok: false,
          path: '/b',
          code: 'forbidden',
          message: 'the path is not yours',
        } as const;
        return command.changes.map((change) =>
          change.kind === 'move_file' ? refusal : (answers.shift() ?? refusal),
        );
      },
    });
    const rig = await startMirrorHarness({ met });
    rig.write('a', 'content');
    rig.write('other', '1');
    await rig.mirror();
    rig.rename('a', 'b');
    rig.write('other', '2');
    await waitFor('the refusal', async () => (await rig.view()).problems > 0);
    const refused = await rig.view();
    expect(refused.problemList).toMatchObject([
      { kind: 'refused', path: '/b', cause: expect.stringContaining('the path is not yours') },
    ]);
    expect(refused.problemList[0]?.retryAt).not.toBeNull();
    // Nothing else waits for it, the workspace keeps the one file that it had, and the folder the one that it has.
    await waitFor('the rest', async () => (await rig.workspace())['/other'] === '2');
    expect(await rig.workspace()).toEqual({ '/a': 'content', '/other': '2' });
    expect(rig.folder()).toEqual({ '/b': 'content', '/other': '2' });
    refuses = false;
    // Whoever resumes does not wait for the next try.
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await waitFor('the next try', async () => (await rig.workspace())['/b'] === 'content');
    await rig.settle();
    expect(await rig.both()).toEqual({ '/b': 'content', '/other': '2' });
    expect((await actions(rig, '/b'))[0]).toBe('move');
  });

  it('to an ignored name is a deletion, from one a creation, and between two nothing', async () => {
    const rig = await mirrored({
      '.mooringignore': '*.tmp\nbuild/\n',
      a: 'a',
      'build/b': 'b',
      'c.tmp': 'c',
      keep: 'k',
    });
    const before = await rig.workspace();
    expect(Object.keys(before)).toEqual(['/.mooringignore', '/a', '/keep']);
    rig.rename('a', 'a.tmp');
    rig.rename('build/b', 'b');
    rig.rename('c.tmp', 'build/c');
    await rig.settle();
    expect(await rig.workspace()).toEqual({
      '/.mooringignore': '*.tmp\nbuild/\n',
      '/b': 'b',
      '/keep': 'k',
    });
    expect(rig.read('a.tmp')).toBe('a');
    expect(rig.read('build/c')).toBe('c');
    expect((await actions(rig, '/a'))[0]).toBe('delete');
  });

  it('of two directories whose names begin alike mixes nothing up and transfers nothing', async () => {
    const rig = await mirrored({
      'doc/a': '1',
      'docs/a': '2',
      'docs-old/a': '3',
      'docs.d/doc/a': '4',
    });
    rig.rename('docs', 'papers');
    rig.rename('docs-old', 'papers-old');
    await rig.settle();
    expect(await rig.both()).toEqual({
      '/doc/a': '1',
      '/docs.d/doc/a': '4',
      '/papers-old/a': '3',
      '/papers/a': '2',
    });
    for (const path of ['/papers/a', '/papers-old/a']) expect((await actions(rig, path))[0]).toBe('move');
    // Each takes the name of another one.
    rig.rename('doc', 'docs');
    rig.rename('papers', 'doc');
    rig.rename('docs', 'papers');
    await rig.settle();
    expect(await rig.both()).toEqual({
      '/doc/a': '2',
      '/docs.d/doc/a': '4',
      '/papers-old/a': '3',
      '/papers/a': '1',
    });
  });
});

describe('a name', () => {
  it('of a child may be that of the root', async () => {
    const rig = await mirrored({ 'folder/folder/a': '1', 'folder/b': '2' });
    await rig.put('/folder/folder/c', '3');
    await rig.settle();
    rig.remove('folder/folder/a');
    await rig.settle();
    expect(await rig.both()).toEqual({ '/folder/b': '2', '/folder/folder/c': '3' });
    // A file of that name, too.
    rig.remove('folder');
    rig.write('other', '4');
    await waitFor('the mirror to ask or to follow', async () => {
      await rig.manager.settle({ timeoutMs: 2000 });
      return (await rig.view()).state === 'halted' || !('/folder/b' in (await rig.workspace()));
    });
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    expect(Object.keys(await rig.both())).toContain('/other');
  });

  it('that looks like that of a conflict copy makes no conflict, and gets no second suffix', async () => {
    const name = 'plan (conflict 2026-01-02 03.04.05).md';
    const rig = await mirrored({ 'plan.md': 'p' });
    await rig.put(`/${name}`, 'not ours');
    expect(await rig.settle()).toMatchObject({ conflicts: 0, problems: 0 });
    expect(rig.read(name)).toBe('not ours');
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    rig.write(name, 'folder');
    await rig.put(`/${name}`, 'workspace');
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    expect((await rig.settle()).conflicts).toBe(1);
    const names = Object.keys(await rig.both());
    expect(names).toHaveLength(3);
    expect(names.filter((one) => one.split('(conflict').length > 2)).toEqual([]);
  });
});
