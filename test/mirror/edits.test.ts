import { appendFileSync, existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

async function mirrored(files: Readonly<Record<string, string>>): Promise<MirrorHarness> {
  const rig = await startMirrorHarness();
  for (const [name, content] of Object.entries(files)) rig.write(name, content);
  await rig.mirror();
  return rig;
}

/** Both sides change while the mirror does not look. */
async function apart(rig: MirrorHarness, change: () => void | Promise<void>): Promise<void> {
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  await change();
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  await rig.settle();
}

describe('one side changes', () => {
  it('carries creations, edits and deletions of the folder by itself', async () => {
    const rig = await mirrored({ edit: '1', gone: '1', same: '1' });
    rig.write('edit', '2');
    rig.remove('gone');
    rig.write('new/file', 'n');
    const expected = { '/edit': '2', '/new/file': 'n', '/same': '1' };
    await waitFor(
      'the workspace to follow',
      async () => JSON.stringify(await rig.workspace()) === JSON.stringify(expected),
    );
  });

  it('carries creations, edits and deletions of the workspace by itself', async () => {
    const rig = await mirrored({ edit: '1', 'd/gone': '1', same: '1' });
    await rig.put('/edit', '2');
    await rig.delete('/d/gone');
    await rig.put('/new/file', 'n');
    const expected = { '/edit': '2', '/new/file': 'n', '/same': '1' };
    await waitFor('the folder to follow', () => JSON.stringify(rig.folder()) === JSON.stringify(expected));
    await rig.settle();
    // It made the directory empty by its own deletion, so it removes it.
    expect(existsSync(rig.at('d'))).toBe(false);
  });

  it('sees an edit of the same size made right after a sync', async () => {
    const rig = await mirrored({ a: 'one' });
    for (const content of ['two', 'six', 'ten']) {
      rig.write('a', content);
      await rig.settle();
      expect(await rig.workspace()).toEqual({ '/a': content });
    }
  });

  it('sees an edit whose time was set back', async () => {
    const rig = await mirrored({ a: 'one' });
    const before = statSync(rig.at('a'));
    rig.write('a', 'two');
    utimesSync(rig.at('a'), before.atime, before.mtime);
    await rig.settle();
    expect(await rig.workspace()).toEqual({ '/a': 'two' });
  });

  it('uploads nothing for a touch', async () => {
    const rig = await mirrored({ a: 'one' });
    const before = await rig.events();
    utimesSync(rig.at('a'), 1, 1);
    await rig.settle();
    expect(await rig.events()).toEqual(before);
  });

  it('touches no file when the workspace writes the same bytes again', async () => {
    const rig = await mirrored({ a: 'one' });
    const before = statSync(rig.at('a'), { bigint: true });
    await rig.put('/a', 'one');
    await rig.settle();
    const after = statSync(rig.at('a'), { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  it('makes one event of one save, and none of its own writes', async () => {
    const rig = await mirrored({});
    rig.save('a', 'saved');
    await rig.settle();
    await rig.put('/b', 'from the API');
    await rig.settle();
    rig.write('c', 'done');
    await rig.settle();
    const files = (await rig.events()).filter((event) => event.type.startsWith('file.'));
    expect(files.map(({ type, path }) => `${type} ${path}`)).toEqual([
      'file.created /a',
      'file.created /b',
      'file.created /c',
    ]);
  });

  it('keeps the mode of a file that the workspace changes', async () => {
    const rig = await mirrored({});
    writeFileSync(rig.at('run.sh'), 'old', { mode: 0o755 });
    await rig.settle();
    await rig.put('/run.sh', 'new');
    await rig.settle();
    expect(statSync(rig.at('run.sh')).mode & 0o777).toBe(0o755);
  });

  it('follows a file that grows until it holds still', async () => {
    const rig = await mirrored({ log: '' });
    for (let line = 0; line < 20; line += 1) appendFileSync(rig.at('log'), `line ${line}\n`);
    await rig.settle();
    expect((await rig.workspace())['/log']).toBe(rig.read('log'));
  });

  it('finds a tree that appeared at once, down to its leaves', async () => {
    const rig = await mirrored({});
    for (let n = 0; n < 50; n += 1) rig.write(`t/${n % 5}/u/${n}`, String(n));
    await waitFor('all files', async () => Object.keys(await rig.workspace()).length === 50);
    expect(Object.keys(await rig.both())).toHaveLength(50);
  });
});

describe('both sides change', () => {
  it('two edits leave two versions on both sides', async () => {
    const rig = await mirrored({ 'a.txt': 'base' });
    await apart(rig, async () => {
      rig.write('a.txt', 'folder');
      await rig.put('/a.txt', 'workspace');
    });
    const files = await rig.both();
    expect(files['/a.txt']).toBe('workspace');
    expect(Object.values(files).sort()).toEqual(['folder', 'workspace']);
    expect((await rig.view()).conflicts).toBe(1);
  });

  it('the same edit is no conflict', async () => {
    const rig = await mirrored({ a: 'base' });
    await apart(rig, async () => {
      rig.write('a', 'same');
      await rig.put('/a', 'same');
    });
    expect(await rig.both()).toEqual({ '/a': 'same' });
    expect((await rig.view()).conflicts).toBe(0);
  });

  it('an edit survives a deletion on the other side, either way', async () => {
    const rig = await mirrored({ a: 'base', b: 'base', c: 'base' });
    await apart(rig, async () => {
      rig.remove('a');
      await rig.put('/a', 'edited there');
      rig.write('b', 'edited here');
      await rig.delete('/b');
    });
    expect(await rig.both()).toEqual({ '/a': 'edited there', '/b': 'edited here', '/c': 'base' });
  });

  it('what one side changed and wrote back as it was agreed on is no edit: the deletion holds, and history has it', async () => {
    const rig = await mirrored({ a: 'base a', b: 'base b', c: 'base' });
    await apart(rig, async () => {
      rig.remove('a');
      await rig.put('/a', 'other');
      await rig.put('/a', 'base a');
      await rig.delete('/b');
      rig.write('b', 'other');
      rig.write('b', 'base b');
    });
    expect(await rig.both()).toEqual({ '/c': 'base' });
    const history = await rig.workspaces.history(rig.workspaceId, '/a', 10, null);
    const kept = await Promise.all(history.map(({ hash }) => hash && rig.workspaces.readContent(hash)));
    expect(kept.map((bytes) => bytes && Buffer.from(bytes).toString())).toContain('other');
    expect(kept.map((bytes) => bytes && Buffer.from(bytes).toString())).toContain('base a');
  });

  it('a deletion on both sides is a deletion', async () => {
    const rig = await mirrored({ a: 'base', b: 'base' });
    await apart(rig, async () => {
      rig.remove('a');
      await rig.delete('/a');
    });
    expect(await rig.both()).toEqual({ '/b': 'base' });
  });

  it('the conflict is over when its copy is deleted', async () => {
    const rig = await mirrored({ 'a.txt': 'base' });
    await apart(rig, async () => {
      rig.write('a.txt', 'folder');
      await rig.put('/a.txt', 'workspace');
    });
    const copy = Object.keys(rig.folder()).find((name) => name.includes('(conflict'));
    rig.remove(copy ?? 'no copy');
    const view = await rig.settle();
    expect(view.conflicts).toBe(0);
    expect(await rig.both()).toEqual({ '/a.txt': 'workspace' });
  });

  it('a copy of a copy does not nest its name', async () => {
    const rig = await mirrored({ 'a.txt': 'base' });
    for (const round of ['1', '2']) {
      await apart(rig, async () => {
        for (const name of Object.keys(rig.folder())) {
          rig.write(name, `folder ${round}${name}`);
          await rig.put(name, `workspace ${round}${name}`);
        }
      });
    }
    const names = Object.keys(await rig.both());
    expect(names).toHaveLength(4);
    for (const name of names) expect(name.match(/\(conflict/g) ?? []).toHaveLength(name === '/a.txt' ? 0 : 1);
  });

  it('a write of the API while the folder is being read is never overwritten', async () => {
    const rig = await startMirrorHarness();
    let raced = false;
    await rig.restart({
      atKillPoint: (point) => {
        if (point !== 'upload.read' || raced) return;
        raced = true;
        void rig.put('/a', 'API').catch((error: unknown) => expect.fail(String(error)));
      },
    });
    rig.write('a', 'folder');
    await rig.mirror();
    await rig.settle();
    expect(raced).toBe(true);
    const files = await rig.both();
    expect(Object.values(files)).toContain('API');
    const kept = (await rig.workspaces.history(rig.workspaceId, '/a', 10, null)).length;
    expect(Object.values(files).includes('folder') || kept > 1).toBe(true);
  });

  it('many quick changes of one file on both sides end equal, with the last of each alive', async () => {
    const rig = await mirrored({ a: '0' });
    for (let n = 1; n <= 20; n += 1) {
      if (n % 2 === 0) rig.save('a', `folder ${n}`);
      else await rig.put('/a', `workspace ${n}`);
    }
    await rig.settle();
    const files = await rig.both();
    const all = new Set(Object.values(files));
    for (const row of await rig.workspaces.history(rig.workspaceId, '/a', 100, null)) {
      all.add(Buffer.from((await rig.workspaces.readContent(row.hash ?? '')) ?? []).toString());
    }
    expect(all).toContain('folder 20');
    expect(all).toContain('workspace 19');
  });
});

describe('renames and changes of type', () => {
  it('a rename in the folder stores no bytes and keeps the history', async () => {
    const rig = await mirrored({ 'old/a': 'content', 'old/b': 'other' });
    rig.rename('old', 'new');
    await rig.settle();
    expect(await rig.both()).toEqual({ '/new/a': 'content', '/new/b': 'other' });
    const history = await rig.workspaces.history(rig.workspaceId, '/new/a', 10, null);
    expect(history[0]).toMatchObject({ action: 'move', movedFrom: '/old/a' });
  });

  it('a rename while the agent was stopped is found, too', async () => {
    const rig = await mirrored({ a: 'content' });
    await rig.stop();
    rig.rename('a', 'b');
    await rig.start();
    await rig.settle();
    expect(await rig.both()).toEqual({ '/b': 'content' });
    expect((await rig.workspaces.history(rig.workspaceId, '/b', 10, null))[0]?.action).toBe('move');
  });

  it('renamed here and edited there, both live', async () => {
    const rig = await mirrored({ a: 'base' });
    await apart(rig, async () => {
      rig.rename('a', 'b');
      await rig.put('/a', 'edited');
    });
    expect(await rig.both()).toEqual({ '/a': 'edited', '/b': 'base' });
  });

  it('a move in the workspace arrives in the folder without a conflict', async () => {
    const rig = await mirrored({ 'd/a': 'content', keep: 'k' });
    await rig.change({ kind: 'move_file', from: '/d/a', to: '/e/b', precondition: { kind: 'any' } });
    const view = await rig.settle();
    expect(view.conflicts).toBe(0);
    expect(await rig.both()).toEqual({ '/e/b': 'content', '/keep': 'k' });
  });

  it('two files that swap their names end swapped', async () => {
    const rig = await mirrored({ a: 'A', b: 'B' });
    await apart(rig, () => {
      rig.rename('a', 'c');
      rig.rename('b', 'a');
      rig.rename('c', 'b');
    });
    expect(await rig.both()).toEqual({ '/a': 'B', '/b': 'A' });
  });

  it('a file becomes a directory and a directory a file, from the folder', async () => {
    const rig = await mirrored({ a: 'file', 'd/e': 'inner', 'd/f': 'inner' });
    rig.remove('a');
    rig.write('a/b', 'now inside');
    rig.remove('d');
    rig.write('d', 'now a file');
    await rig.settle();
    expect(await rig.both()).toEqual({ '/a/b': 'now inside', '/d': 'now a file' });
  });

  it('a file becomes a directory and a directory a file, from the workspace', async () => {
    const rig = await mirrored({ a: 'file', 'd/e': 'inner', 'd/f': 'inner' });
    await rig.delete('/a');
    await rig.put('/a/b', 'now inside');
    await rig.delete('/d/e');
    await rig.delete('/d/f');
    await rig.put('/d', 'now a file');
    await rig.settle();
    expect(await rig.both()).toEqual({ '/a/b': 'now inside', '/d': 'now a file' });
    expect((await rig.view()).conflicts).toBe(0);
  });

  it('a directory with unsynced content steps aside for a file of the workspace', async () => {
    const rig = await mirrored({ 'd/e': 'inner', keep: 'k' });
    await apart(rig, async () => {
      rig.write('d/new', 'unsynced');
      rig.write('d/.DS_Store', 'never synced');
      await rig.delete('/d/e');
      await rig.put('/d', 'a file');
    });
    const files = await rig.workspace();
    expect(files['/d']).toBe('a file');
    expect(Object.values(files)).toContain('unsynced');
    expect(readdirSync(rig.root).filter((name) => name.startsWith('d ('))).toHaveLength(1);
    expect(Object.values(rig.folder())).toContain('never synced');
  });
});
