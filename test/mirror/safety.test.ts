import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { describeMirror } from '../../server/cli/mirror-text.ts';
import { nodeFileSystem } from '../../server/disk/node-file-system.ts';
import { MirrorRefusedError } from '../../server/mirror/manager-port.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { diskError, engineFolder, faultyFileSystem } from '../support/engine-folder.ts';
import { type MirrorRig, startRig } from '../support/mirror-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 60_000 });

async function mirroredTwelve(): Promise<MirrorRig> {
  const rig = await startRig();
  for (let n = 0; n < 12; n += 1) rig.write(`d/${n}`, `content ${n}`);
  await rig.mirror();
  return rig;
}

async function halted(rig: MirrorRig, cause: string): Promise<void> {
  await waitFor(`the mirror to halt: ${cause}`, async () => {
    await rig.manager.settle({ timeoutMs: 2000 });
    return (await rig.view()).halt?.cause.includes(cause);
  });
  expect((await rig.view()).state).toBe('halted');
}

describe('a mirror halts instead of deleting', () => {
  it('when its folder is gone, says so, and goes on by itself when it is back', async () => {
    const rig = await mirroredTwelve();
    const away = `${rig.root}-away`;
    renameSync(rig.root, away);
    await halted(rig, 'is not there');
    expect(Object.keys(await rig.workspace())).toHaveLength(12);
    renameSync(away, rig.root);
    rig.write('d/0', 'edited meanwhile');
    await waitFor('the mirror to go on', async () => (await rig.view()).state === 'idle');
    await rig.settle();
    expect((await rig.both())['/d/0']).toBe('edited meanwhile');
    expect((await rig.view()).halt).toBeNull();
  });

  it('when a file stands in place of its folder', async () => {
    const rig = await mirroredTwelve();
    renameSync(rig.root, `${rig.root}-away`);
    writeFileSync(rig.root, 'a file');
    await halted(rig, 'not a folder');
    expect(readFileSync(rig.root, 'utf8')).toBe('a file');
    expect(Object.keys(await rig.workspace())).toHaveLength(12);
    rmSync(rig.root);
    renameSync(`${rig.root}-away`, rig.root);
  });

  it('when another folder stands in its place; resuming only adds', async () => {
    const rig = await mirroredTwelve();
    renameSync(rig.root, `${rig.root}-away`);
    mkdirSync(rig.root);
    rig.write('stranger', 's');
    await halted(rig, 'not the one');
    expect(rig.folder()).toEqual({ '/stranger': 's' });
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    expect(Object.keys(await rig.both())).toHaveLength(13);
  });

  it('when all its files are gone, also over a restart; putting them back is enough', async () => {
    const rig = await mirroredTwelve();
    renameSync(rig.at('d'), `${rig.root}-d`);
    await halted(rig, 'are gone');
    await rig.restart();
    await halted(rig, 'are gone');
    expect(Object.keys(await rig.workspace())).toHaveLength(12);
    renameSync(`${rig.root}-d`, rig.at('d'));
    await waitFor('the mirror to go on', async () => (await rig.view()).state === 'idle');
    expect(Object.keys(await rig.both())).toHaveLength(12);
  });

  it('when more than half of its files are gone; resuming brings them back', async () => {
    const rig = await mirroredTwelve();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    for (let n = 0; n < 8; n += 1) rig.remove(`d/${n}`);
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await halted(rig, 'More than half');
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    expect(Object.keys(await rig.both())).toHaveLength(12);
  });

  it('when they go slowly, a few at a time', async () => {
    const rig = await mirroredTwelve();
    for (let n = 0; n < 5; n += 1) rig.remove(`d/${n}`);
    await rig.settle();
    for (let n = 5; n < 9; n += 1) rig.remove(`d/${n}`);
    await halted(rig, 'More than half');
    expect(Object.keys(await rig.workspace())).toHaveLength(7);
  });

  it('but not for a few deletions, nor for a renamed directory that holds everything', async () => {
    const rig = await mirroredTwelve();
    rig.remove('d/0');
    rig.rename('d', 'e');
    await rig.settle();
    expect(Object.keys(await rig.both())).toHaveLength(11);
  });

  it('and not for its only file', async () => {
    const rig = await startRig();
    rig.write('a', '1');
    await rig.mirror();
    rig.remove('a');
    await rig.settle();
    expect(await rig.both()).toEqual({});
  });

  it('makes its marker anew when only that is gone', async () => {
    const rig = await mirroredTwelve();
    rig.remove('.mooring');
    await waitFor('a new marker', () => existsSync(rig.at('.mooring/marker.json')));
    expect((await rig.settle()).halt).toBeNull();
  });

  it('but not at once, so that a folder can be deleted while it looks', async () => {
    let monotonicMs = 0;
    const rig = await startRig({ clock: { ...systemClock, monotonicMs: () => monotonicMs } });
    rig.write('a', '1');
    await rig.mirror();
    rig.remove('.mooring');
    await rig.settle();
    await rig.settle();
    expect(readdirSync(rig.root)).toEqual(['a']);
    monotonicMs += 3000;
    await rig.settle();
    expect(readdirSync(rig.root).sort()).toEqual(['.mooring', 'a']);
  });
});

describe('what is never synced', () => {
  it('follows no link, and says so', async () => {
    const rig = await startRig();
    const outside = tempFolder('outside');
    writeFileSync(`${outside}/secret`, 'secret');
    symlinkSync(outside, rig.at('linked'));
    symlinkSync(`${outside}/secret`, rig.at('file-link'));
    rig.write('real', 'r');
    const view = await rig.mirror();
    expect(await rig.workspace()).toEqual({ '/real': 'r' });
    expect(view.problemList.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'symlink /file-link',
      'symlink /linked',
    ]);
  });

  it('writes and deletes nothing through a link', async () => {
    const rig = await startRig();
    const outside = tempFolder('outside');
    writeFileSync(`${outside}/kept`, 'kept');
    rig.write('d/kept', 'kept');
    rig.write('other', 'o');
    await rig.mirror();
    rig.remove('d');
    symlinkSync(outside, rig.at('d'));
    await rig.delete('/d/kept');
    await rig.put('/d/new', 'must not land outside');
    await rig.settle();
    expect(readFileSync(`${outside}/kept`, 'utf8')).toBe('kept');
    expect(existsSync(`${outside}/new`)).toBe(false);
    expect(lstatSync(rig.at('d')).isSymbolicLink()).toBe(true);
  });

  it('leaves ignored files where they are, on both sides', async () => {
    const rig = await startRig();
    rig.write('.mooringignore', 'build/\n*.log\n!keep.log\n');
    rig.write('build/out', 'o');
    rig.write('a.log', 'l');
    rig.write('keep.log', 'k');
    rig.write('.git/HEAD', 'h');
    rig.write('x~', 'editor');
    await rig.put('/build/there', 't');
    await rig.put('/b.log', 't');
    const view = await rig.mirror();
    expect(Object.keys(await rig.workspace())).toEqual([
      '/.mooringignore',
      '/b.log',
      '/build/there',
      '/keep.log',
    ]);
    expect(Object.keys(rig.folder())).toEqual([
      '/.git/HEAD',
      '/.mooringignore',
      '/a.log',
      '/build/out',
      '/keep.log',
      '/x~',
    ]);
    expect(view.problemList.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'ignored /b.log',
      'ignored /build/there',
    ]);
  });

  it('obeys rules that come with the workspace before it writes what they hide', async () => {
    const rig = await startRig();
    await rig.put('/.mooringignore', 'hidden/\n');
    await rig.put('/hidden/a', 'a');
    await rig.put('/shown', 's');
    await rig.mirror();
    expect(Object.keys(rig.folder())).toEqual(['/.mooringignore', '/shown']);
  });

  it('a tracked file that becomes ignored stays on both sides', async () => {
    const rig = await startRig();
    rig.write('a.log', '1');
    rig.write('b', '1');
    await rig.mirror();
    rig.write('.mooringignore', '*.log\n');
    await rig.settle();
    rig.write('a.log', 'changed here');
    await rig.settle();
    expect(rig.read('a.log')).toBe('changed here');
    expect((await rig.workspace())['/a.log']).toBe('1');
    rig.remove('a.log');
    await rig.settle();
    expect((await rig.workspace())['/a.log']).toBe('1');
  });

  it('a file that grew too large is listed and does not look deleted', async () => {
    const rig = await startRig();
    rig.write('big', 'small yet');
    rig.write('b', '1');
    await rig.mirror();
    truncateSync(rig.at('big'), 65 * 1024 * 1024);
    const view = await rig.settle();
    expect(view.problemList).toMatchObject([{ kind: 'too_large', path: '/big' }]);
    expect((await rig.workspace())['/big']).toBe('small yet');
  });

  it('a file that cannot be read is listed and does not look deleted, nor does what lies in such a directory', async () => {
    let closed = false;
    const denied = (path: string) => closed && (path.endsWith('/secret') || path.endsWith('/vault'));
    const rig = await startRig();
    await rig.restart({
      openFolder: () =>
        engineFolder(
          faultyFileSystem({
            openToRead: (path) => {
              if (denied(path)) throw diskError('EACCES');
              return nodeFileSystem.openToRead(path);
            },
            list: (directory) => {
              if (denied(directory)) throw diskError('EACCES');
              return nodeFileSystem.list(directory);
            },
          }),
        ),
    });
    rig.write('secret', '1');
    rig.write('vault/inside', '1');
    rig.write('b', '1');
    await rig.mirror();
    closed = true;
    rig.write('secret', 'changed');
    const view = await rig.settle();
    expect(view.problemList.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'unreadable /secret',
      'unreadable /vault',
    ]);
    expect(await rig.workspace()).toEqual({ '/b': '1', '/secret': '1', '/vault/inside': '1' });
    closed = false;
    const after = await rig.settle();
    expect(after.problems).toBe(0);
    expect((await rig.both())['/secret']).toBe('changed');
  });

  it('lists a name whose bytes are not UTF-8 and leaves it alone', async () => {
    const rig = await startRig();
    writeFileSync(Buffer.concat([Buffer.from(`${rig.root}/bad-`), Buffer.of(0xff)]), 'x');
    const view = await rig.mirror();
    expect(view.problemList).toMatchObject([{ kind: 'name' }]);
    expect(await rig.workspace()).toEqual({});
  });
});

describe('files that look like secrets', () => {
  it('are mirrored, and that is said once for all of them, until they are ignored', async () => {
    const rig = await startRig();
    rig.write('a.txt', '1');
    rig.write('.env.example', 'KEY=');
    expect((await rig.mirror()).warnings).toEqual([]);
    rig.write('.env', 'KEY=1');
    rig.write('app/.env.local', 'KEY=2');
    await rig.settle();
    expect((await rig.workspace())['/.env']).toBe('KEY=1');
    const view = await rig.view();
    expect(view.problems).toBe(0);
    expect(view.warnings).toMatchObject([
      {
        kind: 'secrets',
        path: '/.env',
        cause: expect.stringMatching(/^\/\.env and 1 more may hold secrets/),
      },
    ]);
    expect(describeMirror(view).join('\n')).toContain('note: /.env and 1 more may hold secrets');
    rig.write('.mooringignore', '.env*\n');
    await rig.settle();
    expect((await rig.view()).warnings).toEqual([]);
    expect((await rig.workspace())['/.env']).toBe('KEY=1');
  });
});

describe('rules that somebody else than the folder changed', () => {
  it('are named with who and when, also after a restart, until the folder has the last word', async () => {
    const rig = await startRig();
    rig.write('.mooringignore', '*.log\n');
    rig.write('d/a', 'a');
    expect((await rig.mirror()).warnings).toEqual([]);
    await rig.put('/.mooringignore', '*.tmp\n');
    const rules = '{"semantics":{"permissions":["deny:agent:x"]}}';
    await rig.change({
      kind: 'write_file',
      path: '/d/.relayfile.acl',
      precondition: { kind: 'any' },
      content: await rig.workspaces.stage(Buffer.from(rules)),
      defaultContentType: 'application/json',
      encoding: 'utf-8',
      aclText: rules,
    });
    const told = async () => (await rig.settle()).warnings.map(({ kind, path }) => `${kind} ${path}`);
    const both = ['rules_changed /.mooringignore', 'rules_changed /d/.relayfile.acl'];
    expect(await told()).toEqual(both);
    expect((await rig.view()).warnings[0]?.cause).toMatch(/changed by rig at \d{4}-.*, not in the folder/);
    await rig.restart();
    expect(await told()).toEqual(both);
    rig.write('.mooringignore', '*.bak\n');
    expect(await told()).toEqual(['rules_changed /d/.relayfile.acl']);
  });
});

describe('who may mirror what', () => {
  it('refuses relative paths, files, folders within each other and the data directory', async () => {
    const rig = await startRig();
    await rig.mirror();
    rig.write('sub/file', 'f');
    for (const dir of ['relative', rig.at('sub/file'), rig.root, rig.at('sub'), rig.dataDir, '/']) {
      await expect(rig.manager.add(rig.workspaceId, dir), dir).rejects.toThrow(MirrorRefusedError);
    }
  });

  it('refuses a folder that a living agent holds, and takes over from a dead one', async () => {
    const rig = await startRig();
    mkdirSync(rig.at('.mooring'));
    const lock = (pid: number) =>
      writeFileSync(
        rig.at('.mooring/lock.json'),
        JSON.stringify({ pid, startedAt: '', dataDir: '/elsewhere' }),
      );
    lock(process.ppid);
    await expect(rig.manager.add(rig.workspaceId, rig.root)).rejects.toThrow(/another agent.*\/elsewhere/);
    lock(2 ** 22 - 3);
    await rig.mirror();
  });

  it('refuses a folder within one that a living agent holds, and one that holds such a folder', async () => {
    const rig = await startRig();
    const lock = (folder: string, pid: number) => {
      mkdirSync(path.join(folder, '.mooring'), { recursive: true });
      const owner = { pid, startedAt: '', dataDir: '/elsewhere' };
      writeFileSync(path.join(folder, '.mooring/lock.json'), JSON.stringify(owner));
    };
    const outer = path.join(rig.base, 'outer');
    const inner = path.join(outer, 'a/inner');
    mkdirSync(path.join(outer, 'b/other'), { recursive: true });
    lock(inner, process.ppid);
    const add = async (dir: string) => await rig.manager.add(rig.workspaceId, dir);
    await expect(add(outer)).rejects.toThrow(
      `${inner} is mirrored by another agent: process ${process.ppid}`,
    );
    lock(outer, process.ppid);
    await expect(add(path.join(outer, 'b/other'))).rejects.toThrow(`${outer} is mirrored by another agent`);
    for (const folder of [outer, inner]) lock(folder, 2 ** 22 - 3);
    await add(outer);
  });

  it('leaves the files and removes its private folder when the mirror is removed', async () => {
    const rig = await mirroredTwelve();
    await rig.manager.remove(rig.workspaceId, rig.mirrorId);
    expect(existsSync(rig.at('.mooring'))).toBe(false);
    expect(Object.keys(rig.folder())).toHaveLength(12);
    expect(await rig.manager.list()).toEqual([]);
  });
});

describe('stopping and going on', () => {
  it('finds after a restart what changed on both sides meanwhile', async () => {
    const rig = await mirroredTwelve();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    expect((await rig.view()).state).toBe('paused');
    rig.write('d/0', 'folder');
    rig.remove('d/1');
    await rig.put('/d/2', 'workspace');
    await rig.delete('/d/3');
    await rig.restart();
    expect((await rig.view()).state).toBe('paused');
    expect((await rig.manager.settle({ timeoutMs: 500 })).settled).toBe(false);
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    const files = await rig.both();
    expect(files).toMatchObject({ '/d/0': 'folder', '/d/2': 'workspace' });
    expect(Object.keys(files)).toHaveLength(10);
  });

  it('tries again what the disk refused, without stopping the rest', async () => {
    let full = true;
    const rig = await startRig();
    await rig.restart({
      openFolder: () =>
        engineFolder(
          faultyFileSystem({
            write: (handle, bytes) => {
              if (full && bytes.length > 100) throw diskError('ENOSPC');
              nodeFileSystem.write(handle, bytes);
            },
          }),
        ),
    });
    await rig.put('/large', 'x'.repeat(200));
    await rig.put('/small', 's');
    const view = await rig.mirror();
    expect(rig.folder()).toEqual({ '/small': 's' });
    expect(view.problemList).toMatchObject([
      { kind: 'write_failed', path: '/large', next: 'Make room on the disk.' },
    ]);
    expect(view.problemList[0]?.retryAt).not.toBeNull();
    full = false;
    await waitFor('the next try', () => Object.keys(rig.folder()).length === 2);
    expect((await rig.settle()).problems).toBe(0);
  });

  it('keeps a conflict listed whose copy cannot be seen because its directory cannot be read', async () => {
    let refused = true;
    const rig = await startRig();
    await rig.restart({
      openFolder: () =>
        engineFolder(
          faultyFileSystem({
            list: (directory) => {
              const names = nodeFileSystem.list(directory);
              const stepped = names.names.some((name) => name.includes('(conflict '));
              if (refused && stepped) throw diskError('EACCES');
              return names;
            },
          }),
        ),
    });
    rig.write('d/e/b', 'mine');
    await rig.put('/d/e', 'theirs');
    const view = await rig.mirror();
    expect(view.problemList.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'conflict /d/e',
      'unreadable /d',
    ]);
    refused = false;
    expect((await rig.settle()).conflicts).toBe(1);
  });

  it('lists a version that stepped aside when the disk could not make that durable', async () => {
    let refusals = 0;
    const rig = await startRig();
    rig.write('a', 'known');
    await rig.mirror();
    await rig.restart({
      openFolder: () =>
        engineFolder(
          faultyFileSystem({
            syncDirectory: (directory) => {
              if (directory === rig.root && refusals > 0) {
                refusals -= 1;
                throw diskError('EIO');
              }
              nodeFileSystem.syncDirectory(directory);
            },
          }),
        ),
    });
    await rig.settle();
    refusals = 1;
    rig.write('a', 'mine');
    await rig.put('/a', 'theirs');
    await waitFor('both versions', async () => Object.keys(await rig.workspace()).length === 2);
    const view = await rig.settle();
    expect(view.problemList).toMatchObject([{ kind: 'conflict', path: '/a' }]);
    // It is durable by now; that a temporary file could be left is all that the next start has to know.
    expect(await rig.store.mirrors.openIntents(rig.mirrorId)).toMatchObject([{ action: 'put', hash: null }]);
    await rig.restart();
    expect((await rig.settle()).conflicts).toBe(1);
    expect(await rig.store.mirrors.openIntents(rig.mirrorId)).toEqual([]);
    expect(Object.values(await rig.both()).sort()).toEqual(['mine', 'theirs']);
  });

  it('goes on saying so while the disk refuses to make a file durable', async () => {
    let refuses = false;
    const rig = await startRig();
    rig.write('a', 'known');
    await rig.mirror();
    await rig.restart({
      openFolder: () =>
        engineFolder(
          faultyFileSystem({
            syncDirectory: (directory) => {
              if (directory === rig.root && refuses) throw diskError('EIO');
              nodeFileSystem.syncDirectory(directory);
            },
          }),
        ),
    });
    await rig.settle();
    refuses = true;
    await rig.put('/a', 'theirs');
    await waitFor('the problem to outlive its first retry', async () => {
      const { problemList, state } = await rig.view();
      return state === 'idle' && problemList[0]?.kind === 'not_durable' && problemList[0].path === '/a';
    });
    refuses = false;
    expect((await rig.settle()).problems).toBe(0);
    expect(await rig.both()).toEqual({ '/a': 'theirs' });
  });

  describe('what the disk made durable only later, deleted in the workspace meanwhile,', () => {
    /** `/d/b` came from the workspace and is not durable; `disk` is to be mended. */
    async function notDurable() {
      const disk = { refuses: false, hides: false };
      const rig = await startRig();
      rig.write('a', 'known');
      await rig.mirror();
      const fs = faultyFileSystem({
        syncDirectory: (directory) => {
          if (directory === rig.at('d') && disk.refuses) throw diskError('ENOSPC');
          nodeFileSystem.syncDirectory(directory);
        },
        lstat: (file) => {
          if (file === rig.at('d/b') && disk.hides) throw diskError('EACCES');
          return nodeFileSystem.lstat(file);
        },
      });
      await rig.restart({ openFolder: () => engineFolder(fs) });
      await rig.settle();
      disk.refuses = true;
      await rig.put('/d/b', 'theirs');
      await waitFor('the file that is not durable', async () => {
        const { problemList, state } = await rig.view();
        return state === 'idle' && problemList[0]?.kind === 'not_durable' && rig.read('d/b') === 'theirs';
      });
      return { rig, disk };
    }

    it('is known for its own, and goes', async () => {
      const { rig, disk } = await notDurable();
      expect(await rig.store.mirrors.openIntents(rig.mirrorId)).toMatchObject([
        { action: 'put', path: '/d/b' },
      ]);
      await rig.delete('/d/b');
      disk.refuses = false;
      await rig.settle();
      expect(await rig.both()).toEqual({ '/a': 'known' });
      expect((await rig.view()).problems).toBe(0);
    });

    it('goes, too, when the disk does not show it at the first look', async () => {
      const { rig, disk } = await notDurable();
      await rig.delete('/d/b');
      disk.hides = true;
      disk.refuses = false;
      await rig.settle();
      disk.hides = false;
      await rig.settle();
      expect(await rig.both()).toEqual({ '/a': 'known' });
    });
  });

  it('lets a file whose removal has to wait make room in its own time, without a conflict', async () => {
    let refused = true;
    const rig = await startRig();
    rig.write('a', 'known');
    await rig.mirror();
    await rig.restart({
      openFolder: () =>
        engineFolder(
          faultyFileSystem({
            unlink: (file) => {
              if (refused && file === rig.at('a')) throw diskError('EIO');
              nodeFileSystem.unlink(file);
            },
          }),
        ),
    });
    await rig.settle();
    await rig.delete('/a');
    await waitFor('the removal to be refused', async () => (await rig.view()).problems === 1);
    await rig.put('/a/b', 'new');
    await rig.settle();
    refused = false;
    await waitFor('the next try', () => '/a/b' in rig.folder());
    expect(rig.folder()).toEqual({ '/a/b': 'new' });
    expect((await rig.settle()).conflicts).toBe(0);
  });

  it('says who has its folder, and when it tries again', async () => {
    const rig = await mirroredTwelve();
    await rig.stop();
    const owner = { pid: process.ppid, startedAt: '', dataDir: '/elsewhere' };
    writeFileSync(rig.at('.mooring/lock.json'), JSON.stringify(owner));
    const before = Date.now();
    await rig.start();
    const [problem] = await waitFor('the problem', async () => {
      const { state, problemList } = await rig.view();
      return state === 'error' && problemList[0]?.retryAt != null ? problemList : null;
    });
    expect(problem).toMatchObject({
      kind: 'mirror_failed',
      cause: `the folder is mirrored by another agent: process ${process.ppid} with the data directory /elsewhere`,
    });
    expect(Date.parse(problem?.retryAt ?? '')).toBeGreaterThan(before);
    expect(describeMirror(await rig.view()).join('\n')).toContain('/elsewhere. See the log');
    rmSync(rig.at('.mooring/lock.json'));
    await waitFor('the next try', async () => (await rig.view()).state === 'idle');
    expect((await rig.view()).problemList).toEqual([]);
  });

  it('leaves the folder as it is when the workspace is deleted', async () => {
    const rig = await mirroredTwelve();
    await rig.workspaces.remove(rig.workspaceId);
    await rig.restart();
    await waitFor('the mirror to say so', async () =>
      (await rig.view()).problemList[0]?.cause.includes('deleted'),
    );
    expect(Object.keys(rig.folder())).toHaveLength(12);
  });

  it('after a restored backup only adds', async () => {
    const rig = await mirroredTwelve();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    await rig.delete('/d/0');
    await rig.put('/d/1', 'older state');
    await rig.store.mirrors.update(rig.mirrorId, { epoch: 'another life' });
    await rig.restart();
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    const files = await rig.both();
    expect(files).toMatchObject({ '/d/0': 'content 0', '/d/1': 'older state' });
    expect(Object.values(files)).toContain('content 1');
  });
});
