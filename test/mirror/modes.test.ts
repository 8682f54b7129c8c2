import { mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { MirrorRefusedError } from '../../server/mirror/manager/port.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

/** Changes of both sides while the mirror does not look. */
async function apart(rig: MirrorHarness, change: () => Promise<void>): Promise<void> {
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  await change();
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  await rig.settle();
}

/** As an editor saves that takes no notice of write protection. */
function replace(rig: MirrorHarness, name: string, content: string): void {
  unlinkSync(rig.at(name));
  writeFileSync(rig.at(name), content);
}

describe('a mirror to the workspace', () => {
  it('carries the folder there and never writes the folder', async () => {
    const rig = await startMirrorHarness();
    rig.write('a', '1');
    await rig.put('/only-there', 't');
    await rig.mirror({ mode: 'to-workspace' });
    expect(await rig.workspace()).toEqual({ '/a': '1', '/only-there': 't' });
    expect(rig.folder()).toEqual({ '/a': '1' });
    await rig.put('/a', 'edited there');
    await rig.delete('/only-there');
    rig.write('b', '1');
    const view = await rig.settle();
    expect(rig.folder()).toEqual({ '/a': '1', '/b': '1' });
    expect(await rig.workspace()).toEqual({ '/a': 'edited there', '/b': '1' });
    expect([view.kept, view.problems]).toEqual([1, 0]);
  });

  it('never overwrites an edit of the workspace: of two edits the folder’s goes beside, once, as a conflict', async () => {
    const rig = await startMirrorHarness();
    rig.write('plan.md', 'base');
    await rig.mirror({ mode: 'to-workspace' });
    await apart(rig, async () => {
      rig.write('plan.md', 'folder');
      await rig.put('/plan.md', 'workspace');
    });
    await rig.restart();
    await rig.settle();
    const files = await rig.workspace();
    expect(files['/plan.md']).toBe('workspace');
    expect(Object.values(files).sort()).toEqual(['folder', 'workspace']);
    expect(rig.folder()).toEqual({ '/plan.md': 'folder' });
    const [conflict] = await rig.conflicts.list(rig.workspaceId);
    const by = {
      actor: { kind: 'system', name: 's', tokenId: null },
      access: null,
      correlationId: 'c',
    } as const;
    await rig.conflicts.resolve(rig.workspaceId, conflict?.row.conflictId ?? '', { keep: 'folder' }, by);
    await rig.settle();
    expect(await rig.both()).toEqual({ '/plan.md': 'folder' });
  });

  it('finds the place of the folder’s version again when the answer was lost', async () => {
    const rig = await startMirrorHarness();
    rig.write('plan.md', 'base');
    await rig.mirror({ mode: 'to-workspace' });
    let lost = 0;
    await rig.restart({
      met: (workspaces) => ({
        ...workspaces,
        change: async (command) => {
          const results = await workspaces.change(command);
          const [change] = command.changes;
          const copies = change?.kind === 'write_file' && change.contentIdentity?.kind === 'mirror-copy';
          if (!copies || lost > 0) return results;
          lost += 1;
          throw new Error('the answer is lost');
        },
      }),
    });
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    rig.write('plan.md', 'folder');
    await rig.put('/plan.md', 'workspace');
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await waitFor('the lost answer', () => lost === 1);
    await rig.restart();
    expect((await rig.settle()).problems).toBe(0);
    expect(Object.values(await rig.workspace()).sort()).toEqual(['folder', 'workspace']);
    expect(await rig.conflicts.list(rig.workspaceId)).toHaveLength(1);
  });
});

describe('a read-only mirror', () => {
  it('shows the workspace, write-protected, and sends nothing', async () => {
    const rig = await startMirrorHarness();
    await rig.put('/d/a', '1');
    rig.write('mine', 'only here');
    const first = await rig.mirror({ mode: 'to-folder' });
    expect(rig.folder()).toEqual({ '/d/a': '1', '/mine': 'only here' });
    expect(statSync(rig.at('d/a')).mode & 0o777).toBe(0o444);
    expect(first.problemList).toMatchObject([{ kind: 'kept_here', path: '/mine' }]);
    await rig.put('/d/a', '2');
    await rig.put('/d/b', '1');
    rig.remove('mine');
    const view = await rig.settle();
    expect(await rig.both()).toEqual({ '/d/a': '2', '/d/b': '1' });
    expect([view.kept, view.problems]).toEqual([0, 0]);
  });

  it('keeps an edit of the folder as a copy that stays local, and undoes a deletion', async () => {
    const rig = await startMirrorHarness();
    await rig.put('/a.txt', '1');
    await rig.put('/b', '1');
    await rig.mirror({ mode: 'to-folder' });
    const before = await rig.workspace();
    replace(rig, 'a.txt', 'edited here');
    rig.remove('b');
    const view = await rig.settle();
    expect(await rig.workspace()).toEqual(before);
    const files = rig.folder();
    expect(files).toMatchObject({ '/a.txt': '1', '/b': '1' });
    expect(Object.values(files).sort()).toEqual(['1', '1', 'edited here']);
    expect(view.conflicts).toBe(0);
    expect(view.problemList).toMatchObject([{ kind: 'kept_here' }]);
  });

  it('does not merge into a workspace that it must not write', async () => {
    const rig = await startMirrorHarness();
    const text = 'one\ntwo\nthree\n';
    await rig.put('/a.txt', text);
    await rig.mirror({ mode: 'to-folder' });
    await apart(rig, async () => {
      replace(rig, 'a.txt', text.replace('one', 'ONE'));
      await rig.put('/a.txt', text.replace('three', 'THREE'));
    });
    expect(await rig.workspace()).toEqual({ '/a.txt': 'one\ntwo\nTHREE\n' });
    expect(Object.values(rig.folder())).toContain('ONE\ntwo\nthree\n');
  });
});

describe('a mirror of a part of the workspace', () => {
  it('knows nothing of the rest, in both directions', async () => {
    const rig = await startMirrorHarness();
    await rig.put('/docs/a.md', '1');
    await rig.put('/docs-not/b.md', '1');
    await rig.put('/outside.md', '1');
    const view = await rig.mirror({ path: '/docs' });
    expect(view.path).toBe('/docs');
    expect(rig.folder()).toEqual({ '/a.md': '1' });
    rig.write('sub/new.md', 'n');
    rig.rename('a.md', 'sub/a.md');
    await rig.put('/docs/c.md', '1');
    await rig.put('/outside.md', '2');
    await rig.settle();
    expect(rig.folder()).toEqual({ '/c.md': '1', '/sub/a.md': '1', '/sub/new.md': 'n' });
    expect(await rig.workspace()).toEqual({
      '/docs-not/b.md': '1',
      '/docs/c.md': '1',
      '/docs/sub/a.md': '1',
      '/docs/sub/new.md': 'n',
      '/outside.md': '2',
    });
    const moved = await rig.workspaces.history(rig.workspaceId, '/docs/sub/a.md', 10, null);
    expect(moved.map(({ action, movedFrom }) => [action, movedFrom])).toEqual([['move', '/docs/a.md']]);
  });

  it('is empty while its directory has another name, and has everything again afterwards', async () => {
    const rig = await startMirrorHarness();
    await rig.put('/docs/a.md', 'a');
    await rig.put('/docs/deep/b.md', 'b');
    await rig.mirror({ path: '/docs' });
    const rename = async (from: string, to: string) => {
      for (const name of ['a.md', 'deep/b.md'])
        await rig.change({
          kind: 'move_file',
          from: `${from}/${name}`,
          to: `${to}/${name}`,
          precondition: { kind: 'any' },
        });
      await rig.settle();
    };
    await rename('/docs', '/papers');
    expect(rig.folder()).toEqual({});
    expect(await rig.workspace()).toEqual({ '/papers/a.md': 'a', '/papers/deep/b.md': 'b' });
    await rename('/papers', '/docs');
    expect(rig.folder()).toEqual({ '/a.md': 'a', '/deep/b.md': 'b' });
    expect((await rig.view()).halt).toBeNull();
  });

  it('survives a restart, and tells of conflicts and problems by the paths of the workspace', async () => {
    const rig = await startMirrorHarness();
    await rig.put('/docs/a.md', 'base');
    await rig.mirror({ path: '/docs/' });
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    rig.write('a.md', 'folder');
    await rig.put('/docs/a.md', 'workspace');
    await rig.restart();
    expect((await rig.view()).state).toBe('paused');
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    const view = await rig.settle();
    expect(view.problemList).toMatchObject([{ kind: 'conflict', path: '/docs/a.md' }]);
    const [conflict] = await rig.conflicts.list(rig.workspaceId);
    expect(conflict?.row.path).toBe('/docs/a.md');
    expect(conflict?.row.copyPath).toMatch(/^\/docs\/a \(conflict /);
    const by = {
      actor: { kind: 'system', name: 's', tokenId: null },
      access: null,
      correlationId: 'c',
    } as const;
    await rig.conflicts.resolve(rig.workspaceId, conflict?.row.conflictId ?? '', { keep: 'folder' }, by);
    await rig.settle();
    expect(rig.folder()).toEqual({ '/a.md': 'folder' });
    expect(await rig.workspace()).toEqual({ '/docs/a.md': 'folder' });
  });

  it('may overlap with another one in another folder: what one folder changes comes to the other', async () => {
    const rig = await startMirrorHarness();
    await rig.mirror();
    const other = path.join(rig.base, 'docs-only');
    mkdirSync(other);
    await rig.manager.add(rig.workspaceId, other, { path: '/docs' });
    rig.write('docs/a.md', 'from the whole');
    // Into the workspace, and out of it.
    await rig.settle();
    await rig.settle();
    expect(readFileSync(path.join(other, 'a.md'), 'utf8')).toBe('from the whole');
    writeFileSync(path.join(other, 'b.md'), 'from the part');
    await rig.settle();
    await rig.settle();
    expect(rig.read('docs/b.md')).toBe('from the part');
    expect((await rig.events()).filter(({ type }) => type.startsWith('file.'))).toHaveLength(2);
  });

  it('cannot be a path that no workspace can hold', async () => {
    const rig = await startMirrorHarness();
    for (const bad of ['/a/../b', '/a//b', `/${'x'.repeat(256)}`]) {
      await expect(rig.manager.add(rig.workspaceId, rig.root, { path: bad })).rejects.toThrow(
        MirrorRefusedError,
      );
    }
  });
});
