import { existsSync, lstatSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { diskError, onFaultyDisk } from '../../support/engine-folder.ts';
import { startMirrorHarness } from '../../support/mirror-harness.ts';
import { tempFolder } from '../../support/temp-folder.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

describe('what is never synced', () => {
  it('follows no link, and says so', async () => {
    const rig = await startMirrorHarness();
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
    const rig = await startMirrorHarness();
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
    const rig = await startMirrorHarness();
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
    const rig = await startMirrorHarness();
    await rig.put('/.mooringignore', 'hidden/\n');
    await rig.put('/hidden/a', 'a');
    await rig.put('/shown', 's');
    await rig.mirror();
    expect(Object.keys(rig.folder())).toEqual(['/.mooringignore', '/shown']);
  });

  it('a tracked file that becomes ignored stays on both sides', async () => {
    const rig = await startMirrorHarness();
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
    const rig = await startMirrorHarness();
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
    const rig = await startMirrorHarness();
    await rig.restart(
      onFaultyDisk({
        openToRead: (path) => {
          if (denied(path)) throw diskError('EACCES');
          return nodeFileSystem.openToRead(path);
        },
        list: (directory) => {
          if (denied(directory)) throw diskError('EACCES');
          return nodeFileSystem.list(directory);
        },
      }),
    );
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
    const rig = await startMirrorHarness();
    writeFileSync(Buffer.concat([Buffer.from(`${rig.root}/bad-`), Buffer.of(0xff)]), 'x');
    const view = await rig.mirror();
    expect(view.problemList).toMatchObject([{ kind: 'name' }]);
    expect(await rig.workspace()).toEqual({});
  });
});
