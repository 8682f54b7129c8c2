import { once } from 'node:events';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FileStat, FileSystem } from '../../../server/disk/port/file-system.ts';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { DiskHarness, hashOf } from '../../support/disk-harness.ts';
import { diskError, faultyFileSystem } from '../../support/engine-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A disk whose times are so coarse that all that the test does has the same. */
function stampedOnce(): FileSystem {
  const atNs = BigInt(Date.now()) * 1_000_000n;
  const stamped = (stat: FileStat): FileStat => ({ ...stat, mtimeNs: atNs, ctimeNs: atNs });
  return faultyFileSystem({
    lstat: (path) => {
      const stat = nodeFileSystem.lstat(path);
      return stat && stamped(stat);
    },
    fstat: (handle) => stamped(nodeFileSystem.fstat(handle)),
  });
}

describe('a scan', () => {
  it('reports what is new once, and nothing when nothing changed', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    rig.write('d/e/b', '2');
    await rig.open();
    expect(await rig.settled()).toEqual([`/a ${hashOf('1')}`, `/d/e/b ${hashOf('2')}`]);
    expect(await rig.scan()).toEqual([]);
  });

  it('looks into no directory that became a link, whatever a hint says', async () => {
    const rig = new DiskHarness();
    const outside = tempFolder('outside');
    writeFileSync(`${outside}/secret`, 'secret');
    rig.write('d/a', '1');
    await rig.open();
    await rig.settled();
    rmSync(rig.at('d'), { recursive: true });
    symlinkSync(outside, rig.at('d'));
    rig.engine.hint('/d', 'secret', 'written');
    rig.pass(100);
    const seen = await rig.scan('dirty');
    rig.engine.hint('/d', 'secret', 'written');
    rig.pass(100);
    expect([...seen, ...(await rig.scan('dirty'))]).toEqual(['/d symlink']);
  });

  it('reads no file whose identity is trusted', async () => {
    let opened = 0;
    const rig = new DiskHarness(
      faultyFileSystem({
        openToRead: (path) => {
          if (!path.includes('.mooring')) opened += 1;
          return nodeFileSystem.openToRead(path);
        },
      }),
    );
    rig.write('a', '1');
    await rig.open();
    await rig.settled();
    opened = 0;
    await rig.scan();
    expect(opened).toBe(0);
  });

  it('waits until a file that is written in place holds still for two looks', async () => {
    const rig = new DiskHarness();
    await rig.open();
    rig.write('a', 'half');
    expect(await rig.scan()).toEqual([]);
    rig.write('a', 'half and more');
    rig.pass(30);
    expect(await rig.scan('dirty')).toEqual([]);
    rig.pass(61);
    expect(await rig.scan('dirty')).toEqual([`/a ${hashOf('half and more')}`]);
  });

  it('takes a file that arrived by a rename at once, when the hint says so', async () => {
    const rig = new DiskHarness();
    await rig.open();
    rig.write('.tmp.swp', 'complete');
    renameSync(rig.at('.tmp.swp'), rig.at('a'));
    rig.engine.hint('/', 'a', 'renamed');
    expect(await rig.scan('dirty')).toEqual([`/a ${hashOf('complete')}`]);
  });

  it('reads what holds still although its directory is listed twice, and the clock was set back', async () => {
    const rig = new DiskHarness();
    rig.pass(-3_600_000);
    rig.write('d/x', '1');
    await rig.open();
    await rig.settled();
    expect(await rig.settled()).toEqual([`/d/x ${hashOf('1')}`]);
    // The inode of what was in the directory has its name now: each scan that meets it looks there, and lists above once more.
    renameSync(rig.at('d/x'), rig.at('away'));
    rmSync(rig.at('d'), { recursive: true });
    renameSync(rig.at('away'), rig.at('d'));
    rig.write('d', '2');
    rig.write('a', '3');
    await rig.scan();
    rig.pass(61);
    expect(await rig.scan('dirty')).toEqual([`/a ${hashOf('3')}`, `/d ${hashOf('2')}`, '/d/x gone']);
  });

  it('takes a file as gone when it is missing at the second look', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    await rig.open();
    await rig.settled();
    rmSync(rig.at('a'));
    expect(await rig.scan()).toEqual([]);
    rig.pass(61);
    expect(await rig.scan('dirty')).toEqual(['/a gone']);
  });

  it('says nothing of a file that was away for a moment', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    await rig.open();
    await rig.settled();
    renameSync(rig.at('a'), rig.at('b~'));
    expect(await rig.scan()).toEqual([]);
    renameSync(rig.at('b~'), rig.at('a'));
    rig.pass(61);
    // The rename touched it, so it is read again; it was never gone.
    expect(await rig.scan('dirty')).toEqual([`/a ${hashOf('1')}`]);
    expect((await rig.engine.scan('full')).unsettled).toEqual([]);
  });

  it('still misses a file that came back for one look and was gone at the next', async () => {
    let looks: number | null = null;
    const rig: DiskHarness = new DiskHarness(
      faultyFileSystem({
        lstat: (path) => {
          if (looks !== null && path === rig.at('a')) {
            looks += 1;
            if (looks === 1) rig.write('a', '2');
            else rmSync(path, { force: true });
          }
          return nodeFileSystem.lstat(path);
        },
      }),
    );
    rig.write('a', '1');
    await rig.open();
    await rig.settled();
    rmSync(rig.at('a'));
    await rig.scan();
    rig.pass(61);
    looks = 0;
    expect(await rig.scan('dirty')).toEqual([]);
    expect(looks).toBeGreaterThan(0);
    expect([...(await rig.settled()), ...(await rig.settled())]).toEqual(['/a gone']);
  });

  it('sees both ends of a rename in one scan, even when only the new place was hinted at', async () => {
    const rig = new DiskHarness();
    rig.write('old/a', '1');
    mkdirSync(rig.at('new'));
    await rig.open();
    await rig.settled();
    renameSync(rig.at('old/a'), rig.at('new/b'));
    rig.engine.hint('/new', 'b', 'renamed');
    expect(await rig.scan('dirty')).toEqual([`/new/b ${hashOf('1')}`, '/old/a gone']);
  });

  it('sees both ends of a rename out of a directory that it had listed already', async () => {
    let act: (() => void) | null = null;
    const rig: DiskHarness = new DiskHarness(
      faultyFileSystem({
        list: (directory) => {
          // The last name of a listing is looked into first: `old` is listed, then the file goes, then `new` is listed.
          if (directory === rig.root) return { names: ['new', 'old'], unreadableNames: [] };
          if (directory === rig.at('new')) act?.();
          return nodeFileSystem.list(directory);
        },
      }),
    );
    rig.write('old/a', '1');
    mkdirSync(rig.at('new'));
    await rig.open();
    await rig.settled();
    rig.pass(10_000);
    act = () => {
      act = null;
      renameSync(rig.at('old/a'), rig.at('new/b'));
    };
    expect(await rig.scan()).toEqual([`/new/b ${hashOf('1')}`, '/old/a gone']);
    expect(act).toBeNull();
  });

  it('says nothing of an ignored name that the disk refuses to look at', async () => {
    const rig = new DiskHarness(
      faultyFileSystem({
        lstat: (path) => {
          if (path.endsWith('refused') || path.includes('-tmp-')) throw diskError('EIO');
          return nodeFileSystem.lstat(path);
        },
      }),
    );
    rig.write('.mooring-tmp-1', '1');
    rig.write('refused', '1');
    await rig.open();
    expect(await rig.settled()).toEqual(['/refused unreadable']);
  });

  it('comes to its end when a file came out of a directory that is gone', async () => {
    const rig = new DiskHarness();
    rig.write('b/d/x', '1');
    await rig.open();
    await rig.settled();
    renameSync(rig.at('b/d/x'), rig.at('y'));
    rmSync(rig.at('b'), { recursive: true });
    rig.engine.hint('/', 'y', 'renamed');
    expect(await rig.scan('dirty')).toEqual(['/b/d/x gone', `/y ${hashOf('1')}`]);
  });

  it('goes on waiting for a file that changed between being listed and being read', async () => {
    let change: (() => void) | null = null;
    const rig = new DiskHarness(
      faultyFileSystem({
        openToRead: (path) => {
          if (path.endsWith('/a')) change?.();
          change = null;
          return nodeFileSystem.openToRead(path);
        },
      }),
    );
    rig.write('a', '1');
    await rig.open();
    rig.pass(10_000);
    change = () => rig.write('a', '22');
    expect((await rig.engine.scan('full')).unsettled).toEqual(['/a']);
    rig.pass(61);
    expect(await rig.scan('dirty')).toEqual([`/a ${hashOf('22')}`]);
  });

  it('tells how much there is to read as soon as all is listed', async () => {
    const told: unknown[] = [];
    const rig = new DiskHarness(
      faultyFileSystem({
        openToRead: (path) => {
          rig.pass(300);
          return nodeFileSystem.openToRead(path);
        },
      }),
      (progress) => told.push(progress),
    );
    for (const name of ['a', 'd/b', 'd/c']) rig.write(name, '12345');
    await rig.open();
    rig.pass(10_000);
    await rig.scan();
    const total = { files: 3, bytes: 15 };
    expect(told).toEqual([1, 2, 3].map((files) => ({ done: { files, bytes: files * 5 }, total })));
  });

  it('hashes again what was touched so shortly before it was read that its times prove nothing', async () => {
    const rig = new DiskHarness(stampedOnce());
    await rig.open();
    rig.write('a', 'one');
    rig.pass(100);
    await rig.scan();
    rig.write('a', 'two');
    rig.pass(100);
    expect(await rig.scan()).toEqual([`/a ${hashOf('two')}`]);
  });

  it('knows a file by its inode, too', async () => {
    const rig = new DiskHarness(stampedOnce());
    await rig.open();
    rig.write('a', 'one');
    rig.write('.b.swp', 'two');
    await rig.settled();
    await rig.settled();
    renameSync(rig.at('.b.swp'), rig.at('a'));
    expect(await rig.settled()).toEqual([`/a ${hashOf('two')}`]);
  });

  it('hashes again a file of the same size whose times were set back', async () => {
    const rig = new DiskHarness();
    await rig.open();
    rig.write('a', 'one');
    rig.pass(100);
    await rig.scan();
    const first = await rig.engine.scan('full');
    expect(first.changes).toHaveLength(0);
    // Same size, and the times put back to what was seen: only the content tells.
    const before = statSync(rig.at('a'));
    rig.write('a', 'two');
    utimesSync(rig.at('a'), before.atime, before.mtime);
    rig.pass(200);
    expect(await rig.scan()).toEqual([`/a ${hashOf('two')}`]);
  });

  it('reports a touch as the same content, and a change of mode too', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    await rig.open();
    await rig.settled();
    utimesSync(rig.at('a'), 5, 5);
    chmodSync(rig.at('a'), 0o600);
    expect(await rig.settled()).toEqual([`/a ${hashOf('1')}`]);
  });

  it('never believes bytes that changed while they were read', async () => {
    let disturb = true;
    const rig = new DiskHarness(
      faultyFileSystem({
        read: (handle, into, position) => {
          const count = nodeFileSystem.read(handle, into, position);
          if (disturb && count === 'original'.length) {
            disturb = false;
            rig.write('a', 'replaced');
          }
          return count;
        },
      }),
    );
    rig.write('a', 'original');
    await rig.open();
    rig.pass(5000);
    expect(await rig.scan()).toEqual([]);
    expect(await rig.settled()).toEqual([`/a ${hashOf('replaced')}`]);
  });

  it('lists links, devices and files that are too large, and follows none', async () => {
    const rig = new DiskHarness();
    rig.write('big', 'x'.repeat(2000));
    symlinkSync('/etc', rig.at('link'));
    const server = createServer().listen(rig.at('socket'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    await rig.open();
    expect(await rig.settled()).toEqual(['/big too_large', '/link symlink', '/socket special_file']);
  });

  it('reports a directory that took the place of a file, and the other way round', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    rig.write('d/e', '2');
    await rig.open();
    await rig.settled();
    rmSync(rig.at('a'));
    rig.write('a/b', '3');
    rmSync(rig.at('d'), { recursive: true });
    rig.write('d', '4');
    const seen = [...(await rig.scan()), ...(await rig.settled())];
    expect(seen.sort()).toEqual(['/a directory', `/a/b ${hashOf('3')}`, `/d ${hashOf('4')}`, '/d/e gone']);
  });

  it('looks where a hint points even if its parent is new, too', async () => {
    const rig = new DiskHarness();
    await rig.open();
    await rig.scan();
    rig.write('x/y/z', 'deep');
    rig.engine.hint('/x/y', 'z', 'written');
    await rig.scan('dirty');
    rig.pass(61);
    expect(await rig.scan('dirty')).toEqual([`/x/y/z ${hashOf('deep')}`]);
  });

  it('looks into a new directory once more a second later', async () => {
    const rig = new DiskHarness();
    await rig.open();
    mkdirSync(rig.at('d'));
    await rig.scan();
    // Written before its watch was set: no hint.
    rig.write('d/a', '1');
    rig.pass(500);
    expect(await rig.scan('dirty')).toEqual([]);
    rig.pass(501);
    expect(await rig.scan('dirty')).toEqual([`/d/a ${hashOf('1')}`]);
  });

  it('finds what was moved into a new directory before its watch was set, and takes it for moved', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    await rig.open();
    await rig.settled();
    mkdirSync(rig.at('new'));
    await rig.scan();
    renameSync(rig.at('a'), rig.at('new/a'));
    rig.engine.hint('/', 'a', 'renamed');
    expect(await rig.scan('dirty')).toEqual(['/a gone', `/new/a ${hashOf('1')}`]);
  });

  it('looks through a directory that it glanced at before for what was renamed out of it', async () => {
    const rig = new DiskHarness();
    for (const [here, there] of [
      ['d', 'f'],
      ['f', 'd'],
    ]) {
      rig.write(`${here}/deep/a`, '1');
      rig.write(`${here}/to-${there}`, here ?? '');
    }
    await rig.open();
    await rig.settled();
    // No directory is new any more.
    rig.pass(10_000);
    await rig.scan('dirty');
    // Either way round: whichever of the two is listed first leads to the other.
    renameSync(rig.at('d/to-f'), rig.at('f/moved'));
    renameSync(rig.at('f/to-d'), rig.at('d/moved'));
    for (const here of ['d', 'f']) rig.write(`${here}/deep/a`, 'edited');
    rig.pass(10_000);
    const edited = (await rig.scan()).filter((change) => change.includes('/deep/'));
    expect(edited).toEqual([`/d/deep/a ${hashOf('edited')}`, `/f/deep/a ${hashOf('edited')}`]);
  });

  it('keeps two names of one file apart', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    linkSync(rig.at('a'), rig.at('b'));
    await rig.open();
    expect(await rig.settled()).toEqual([`/a ${hashOf('1')}`, `/b ${hashOf('1')}`]);
    rmSync(rig.at('a'));
    await rig.scan();
    expect(await rig.settled()).toEqual(expect.arrayContaining(['/a gone']));
  });

  it('does not look into what is ignored, and does when the rules change', async () => {
    const rig = new DiskHarness();
    rig.write('.mooringignore', 'out/\n');
    rig.write('out/a', '1');
    rig.write('.git/config', 'g');
    await rig.open();
    expect(await rig.settled()).toEqual([`/.mooringignore ${hashOf('out/\n')}`]);
    rig.write('.mooringignore', '# nothing\n');
    expect(await rig.settled()).toEqual([
      `/.mooringignore ${hashOf('# nothing\n')}`,
      `/out/a ${hashOf('1')}`,
    ]);
  });

  it('sees nothing of a root that is gone, and does not take its files for deleted', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    await rig.open();
    await rig.settled();
    renameSync(rig.root, `${rig.root}-away`);
    const result = await rig.engine.scan('full');
    renameSync(`${rig.root}-away`, rig.root);
    expect(result).toMatchObject({ root: { kind: 'missing' }, changes: [] });
  });

  it('says that the root cannot be read when it cannot be listed, and sees all once it can', async () => {
    let refused = true;
    const rig = new DiskHarness(
      faultyFileSystem({
        list: (directory) => {
          if (refused && !directory.includes('.mooring')) throw diskError('EIO');
          return nodeFileSystem.list(directory);
        },
      }),
    );
    rig.write('a', '1');
    await rig.open();
    rig.pass(10_000);
    expect((await rig.engine.scan('full')).root).toEqual({ kind: 'unreadable', detail: 'EIO' });
    refused = false;
    expect(await rig.scan()).toEqual([`/a ${hashOf('1')}`]);
  });

  it('tells later what it found when the root was exchanged in the middle', async () => {
    let exchange = false;
    const rig = new DiskHarness(
      faultyFileSystem({
        list: (directory) => {
          const listing = nodeFileSystem.list(directory);
          if (exchange && directory.endsWith('/d')) {
            exchange = false;
            renameSync(rig.root, `${rig.root}-away`);
            mkdirSync(rig.root);
          }
          return listing;
        },
      }),
    );
    rig.write('a', '1');
    rig.write('d/b', '2');
    await rig.open();
    rig.pass(10_000);
    exchange = true;
    expect((await rig.engine.scan('full')).changes).toHaveLength(0);
    rmSync(rig.root, { recursive: true });
    renameSync(`${rig.root}-away`, rig.root);
    const { changes } = await rig.engine.scan('full');
    const last = new Map([...changes].map(({ path, entry }) => [path, entry?.kind]));
    expect(Object.fromEntries(last)).toEqual({ '/a': 'file', '/d/b': 'file' });
  });

  it('sees nothing of another folder in the place of the root, and forgets nothing of the root meanwhile', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    symlinkSync('/nowhere', rig.at('link'));
    await rig.open();
    await rig.engine.mark('own');
    await rig.settled();
    renameSync(rig.root, `${rig.root}-away`);
    mkdirSync(rig.root);
    rig.write('other', '2');
    expect(await rig.settled()).toEqual([]);
    expect(await rig.settled()).toEqual([]);
    rmSync(rig.root, { recursive: true });
    renameSync(`${rig.root}-away`, rig.root);
    rmSync(rig.at('link'));
    rmSync(rig.at('a'));
    expect(await rig.settled()).toEqual(['/link gone']);
    expect(await rig.settled()).toEqual(['/a gone']);
  });

  it('misses what a link hid once the link is gone', async () => {
    const rig = new DiskHarness();
    rig.write('d/a', '1');
    await rig.open();
    await rig.settled();
    rmSync(rig.at('d'), { recursive: true });
    symlinkSync('/nowhere', rig.at('d'));
    expect(await rig.settled()).toEqual(['/d symlink']);
    rmSync(rig.at('d'));
    expect(await rig.settled()).toEqual(['/d gone']);
    expect(await rig.settled()).toEqual(['/d/a gone']);
  });

  it('takes a file in place of such a link for the end of what the link hid', async () => {
    const rig = new DiskHarness();
    rig.write('d/a', '1');
    await rig.open();
    await rig.settled();
    rmSync(rig.at('d'), { recursive: true });
    symlinkSync('/nowhere', rig.at('d'));
    await rig.settled();
    rmSync(rig.at('d'));
    rig.write('d', 'file');
    expect(await rig.settled()).toEqual([`/d ${hashOf('file')}`, '/d gone', '/d/a gone']);
  });

  it('finds out what is gone when a file and something below it are both known', async () => {
    const rig = new DiskHarness();
    rig.write('d', 'file');
    const file = await rig.file('/d');
    const twice = async () => {
      await rig.open([
        { ...file, path: '/d' },
        { ...file, path: '/d/a', inode: '1' },
      ]);
      return [await rig.settled(), await rig.settled()].flat();
    };
    expect(await twice(), 'the file is there').toEqual(['/d/a gone']);
    rmSync(rig.at('d'));
    expect(await twice(), 'neither is there').toEqual(['/d gone', '/d/a gone']);
    rig.write('d/a', '1');
    expect(await twice(), 'the directory is there').toEqual(['/d directory', `/d/a ${hashOf('1')}`]);
  });
});
