import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tempPrefix } from '../../../server/disk/names/ignore.ts';
import { errorCode } from '../../../server/disk/port/file-system.ts';
import type { FolderFile, FolderOperation } from '../../../server/disk/port/folder.ts';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { sha256Hex } from '../../../server/platform/crypto/hashes.ts';
import { DiskHarness, hashOf } from '../../support/disk-harness.ts';
import { diskError, faultyFileSystem } from '../../support/engine-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function put(
  path: string,
  content: string,
  expected: FolderFile | null = null,
  asidePath: string | null = null,
): FolderOperation {
  return {
    kind: 'put',
    path,
    tempName: `.mooring-tmp-${path.length}`,
    bytes: Buffer.from(content),
    hash: sha256Hex(content),
    expected,
    asidePath,
  };
}

async function apply(
  rig: DiskHarness,
  ...operations: readonly FolderOperation[]
): Promise<readonly string[]> {
  await rig.engine.scan('full');
  return (await rig.engine.apply(operations)).map((outcome) => (outcome.ok ? 'ok' : outcome.reason));
}

/** Names in the root that are not ours. */
function names(rig: DiskHarness): readonly string[] {
  return readdirSync(rig.root)
    .filter((name) => name !== '.mooring')
    .sort();
}

describe('the real disk', () => {
  it('opens no link, and makes no file where anything stands', () => {
    const folder = tempFolder('real-disk');
    const [file, link, dangling] = ['file', 'link', 'dangling'].map((name) => `${folder}/${name}`) as [
      string,
      string,
      string,
    ];
    writeFileSync(file, 'kept');
    symlinkSync(file, link);
    symlinkSync(`${folder}/nowhere`, dangling);
    const refusal = (open: () => number) => {
      try {
        nodeFileSystem.close(open());
        return 'opened';
      } catch (error) {
        return errorCode(error);
      }
    };
    expect(refusal(() => nodeFileSystem.openToRead(link))).toBe('ELOOP');
    expect(refusal(() => nodeFileSystem.openToExtend(link))).toBe('ELOOP');
    for (const taken of [file, link, dangling])
      expect(refusal(() => nodeFileSystem.openNew(taken, 0o600))).toBe('EEXIST');
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });
});

describe('a put', () => {
  it('makes the file and its directories, and the next scan has nothing to tell', async () => {
    const rig = new DiskHarness();
    await rig.open();
    expect(await apply(rig, put('/d/e/a', 'A'), put('/b', 'B'))).toEqual(['ok', 'ok']);
    expect(readFileSync(rig.at('d/e/a'), 'utf8')).toBe('A');
    expect(names(rig)).toEqual(['b', 'd']);
    expect(await rig.scan()).toEqual([]);
  });

  it('replaces exactly what it expects and keeps its mode', async () => {
    const rig = new DiskHarness();
    writeFileSync(rig.at('a'), 'old', { mode: 0o750 });
    await rig.open();
    expect(await apply(rig, put('/a', 'new', await rig.file('/a')))).toEqual(['ok']);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('new');
    expect(statSync(rig.at('a')).mode & 0o777).toBe(0o750);
  });

  it('leaves alone what is not as expected: changed, new, or gone', async () => {
    const rig = new DiskHarness();
    rig.write('a', 'old');
    rig.write('gone', 'old');
    await rig.open();
    const expected = await rig.file('/a');
    const gone = await rig.file('/gone');
    rig.write('a', 'edited');
    rig.write('b', 'mine');
    rmSync(rig.at('gone'));
    expect(await apply(rig, put('/a', 'new', expected), put('/b', 'new'), put('/gone', 'new', gone))).toEqual(
      ['changed', 'changed', 'changed'],
    );
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('edited');
    expect(readFileSync(rig.at('b'), 'utf8')).toBe('mine');
    expect(names(rig)).toEqual(['a', 'b']);
  });

  it('sees a change between the first look and the last', async () => {
    let edit = false;
    const rig = new DiskHarness(
      faultyFileSystem({
        syncAll: async (handles) => {
          if (edit) rig.write('a', 'edited meanwhile');
          return await nodeFileSystem.syncAll(handles);
        },
      }),
    );
    rig.write('a', 'old');
    await rig.open();
    const expected = await rig.file('/a');
    edit = true;
    expect(await apply(rig, put('/a', 'new', expected))).toEqual(['changed']);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('edited meanwhile');
    expect(names(rig)).toEqual(['a']);
  });

  it('leaves a file that appears between the last look and the act', async () => {
    const rig = new DiskHarness(
      faultyFileSystem({
        // Whichever call would give the new file its name.
        link: (from, to) => {
          writeFileSync(to, 'theirs');
          nodeFileSystem.link(from, to);
        },
        rename: (from, to) => {
          if (to.endsWith('/a')) writeFileSync(to, 'theirs');
          nodeFileSystem.rename(from, to);
        },
      }),
    );
    await rig.open();
    expect(await apply(rig, put('/a', 'ours'))).toEqual(['changed']);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('theirs');
    expect(names(rig)).toEqual(['a']);
  });

  it('reads an untrusted file before it replaces it', async () => {
    const rig = new DiskHarness();
    rig.write('a', 'old');
    await rig.open();
    const expected = {
      ...(await rig.file('/a')),
      trusted: false,
      hash: sha256Hex('something else of this identity'),
    };
    expect(await apply(rig, put('/a', 'new', expected))).toEqual(['changed']);
  });

  it('never goes over a directory or through a link', async () => {
    const rig = new DiskHarness();
    const outside = tempFolder('outside');
    mkdirSync(rig.at('d'));
    symlinkSync(outside, rig.at('link'));
    symlinkSync(`${outside}/target`, rig.at('file-link'));
    await rig.open();
    expect(
      await apply(rig, put('/d', 'x'), put('/link/x', 'x'), put('/link/deep/x', 'x'), put('/file-link', 'x')),
    ).toEqual(['directory', 'link', 'link', 'changed']);
    expect(readdirSync(outside)).toEqual([]);
    expect(lstatSync(rig.at('file-link')).isSymbolicLink()).toBe(true);
  });

  it('leaves nothing behind when the disk is full, and does the others', async () => {
    const rig = new DiskHarness(
      faultyFileSystem({
        write: (handle, bytes) => {
          if (bytes.length > 10 && bytes.length < 100) throw diskError('ENOSPC');
          nodeFileSystem.write(handle, bytes);
        },
      }),
    );
    await rig.open();
    expect(await apply(rig, put('/large', 'x'.repeat(50)), put('/small', 's'))).toEqual(['failed', 'ok']);
    expect(names(rig)).toEqual(['small']);
  });

  it('has written a file also when the disk will not show it afterwards, and reads it again', async () => {
    let refused = false;
    const rig = new DiskHarness(
      faultyFileSystem({
        link: (from, to) => {
          nodeFileSystem.link(from, to);
          refused = true;
        },
        lstat: (file) => {
          if (refused && file.endsWith('/a')) throw diskError('EIO');
          return nodeFileSystem.lstat(file);
        },
      }),
    );
    await rig.open();
    expect(await apply(rig, put('/a', 'A'))).toEqual(['ok']);
    refused = false;
    expect(await rig.settled()).toEqual([`/a ${hashOf('A')}`]);
  });

  it('does not show a file that could not be made durable', async () => {
    const rig = new DiskHarness(faultyFileSystem({ syncAll: async (handles) => handles.map(() => 'EIO') }));
    await rig.open();
    expect(await apply(rig, put('/a', 'A'))).toEqual(['failed']);
    expect(names(rig)).toEqual([]);
  });

  it('refuses bytes that are not what was announced', async () => {
    const rig = new DiskHarness();
    await rig.open();
    expect(await apply(rig, { ...put('/a', 'A'), hash: sha256Hex('B') } as FolderOperation)).toEqual([
      'failed',
    ]);
    expect(names(rig)).toEqual([]);
  });

  it('gives the version in the way another name in the same step', async () => {
    const rig = new DiskHarness();
    rig.write('a', 'folder');
    rig.write('taken', 't');
    await rig.open();
    const expected = await rig.file('/a');
    expect(await apply(rig, put('/a', 'workspace', expected, '/taken'))).toEqual(['taken']);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('folder');
    expect(await apply(rig, put('/a', 'workspace', expected, '/a (copy)'))).toEqual(['ok']);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('workspace');
    expect(readFileSync(rig.at('a (copy)'), 'utf8')).toBe('folder');
  });

  it('writes nothing into a root that was exchanged since the scan', async () => {
    const rig = new DiskHarness();
    await rig.open();
    await rig.engine.scan('full');
    renameSync(rig.root, `${rig.root}-away`);
    mkdirSync(rig.root);
    const outcomes = await rig.engine.apply([put('/a', 'A')]);
    expect(outcomes).toMatchObject([{ ok: false, reason: 'root' }]);
    expect(readdirSync(rig.root)).toEqual([]);
    rmSync(`${rig.root}-away`, { recursive: true });
  });
});

describe('a batch whose root goes away in the middle', () => {
  it('leaves no temporary file once the root is back', async () => {
    const rig = new DiskHarness(
      faultyFileSystem({
        syncAll: async (handles) => {
          const codes = await nodeFileSystem.syncAll(handles);
          renameSync(rig.root, `${rig.root}-away`);
          return codes;
        },
      }),
    );
    await rig.open();
    await rig.engine.scan('full');
    const outcomes = await rig.engine.apply([put('/a', 'A')]);
    expect(outcomes).toMatchObject([{ ok: false, unfinished: true }]);
    renameSync(`${rig.root}-away`, rig.root);
    expect(names(rig)).toEqual(['.mooring-tmp-2']);
    await rig.engine.scan('full');
    expect(names(rig)).toEqual([]);
  });
});

describe('a removal', () => {
  it('leaves a file that came while the one before it was read', async () => {
    let other = false;
    const rig = new DiskHarness(
      faultyFileSystem({
        close(handle) {
          nodeFileSystem.close(handle);
          if (!other) return;
          other = false;
          writeFileSync(rig.at('.other.swp'), 'other');
          renameSync(rig.at('.other.swp'), rig.at('a'));
        },
      }),
    );
    rig.write('a', '1');
    await rig.open();
    const expected = { ...(await rig.file('/a')), trusted: false };
    await rig.engine.scan('full');
    const applied = rig.engine.apply([{ kind: 'remove', path: '/a', expected }]);
    other = true;
    expect(await applied).toMatchObject([{ ok: false, reason: 'changed' }]);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('other');
  });

  it('lets the next scan miss what somebody else took from the directory meanwhile', async () => {
    const rig = new DiskHarness();
    rig.write('d/a', '1');
    rig.write('d/b', '2');
    await rig.open();
    await rig.settled();
    const expected = await rig.file('/d/a');
    rmSync(rig.at('d/b'));
    expect(await rig.engine.apply([{ kind: 'remove', path: '/d/a', expected }])).toMatchObject([
      { ok: true },
    ]);
    expect(existsSync(rig.at('d'))).toBe(false);
    await rig.scan();
    rig.pass(100);
    expect(await rig.scan()).toEqual(['/d/b gone']);
  });

  it('is reported by the next scan when it could not be made durable', async () => {
    let refused = true;
    const rig = new DiskHarness(
      faultyFileSystem({
        syncDirectory: (directory) => {
          if (refused && directory === rig.root) throw diskError('EIO');
          nodeFileSystem.syncDirectory(directory);
        },
      }),
    );
    rig.write('a', '1');
    await rig.open();
    await rig.settled();
    const expected = await rig.file('/a');
    expect(await rig.engine.apply([{ kind: 'remove', path: '/a', expected }])).toMatchObject([
      { ok: false, reason: 'failed', code: 'EIO' },
    ]);
    refused = false;
    expect(await rig.scan()).toEqual(['/a gone']);
  });

  it('takes the file and the directories that it left empty, and no others', async () => {
    const rig = new DiskHarness();
    rig.write('d/e/a', '1');
    rig.write('f/b', '1');
    rig.write('f/.DS_Store', 'ignored');
    mkdirSync(rig.at('empty'));
    await rig.open();
    const operations: FolderOperation[] = [
      { kind: 'remove', path: '/d/e/a', expected: await rig.file('/d/e/a') },
      { kind: 'remove', path: '/f/b', expected: await rig.file('/f/b') },
    ];
    expect(await apply(rig, ...operations)).toEqual(['ok', 'ok']);
    expect(names(rig)).toEqual(['empty', 'f']);
    expect(existsSync(rig.at('f/.DS_Store'))).toBe(true);
  });

  it('has removed a file also when the disk will not let go of its empty directory', async () => {
    const rig = new DiskHarness(
      faultyFileSystem({
        removeDirectory: () => {
          throw diskError('EMFILE');
        },
      }),
    );
    rig.write('d/a', '1');
    await rig.open();
    expect(await apply(rig, { kind: 'remove', path: '/d/a', expected: await rig.file('/d/a') })).toEqual([
      'ok',
    ]);
    expect(names(rig)).toEqual(['d']);
  });

  it('removes nothing through a parent that became a link, even the very file', async () => {
    const rig = new DiskHarness();
    const outside = tempFolder('outside');
    rig.write('d/a', '1');
    rig.write('other', '1');
    await rig.open();
    const expected = await rig.file('/d/a');
    await rig.engine.scan('full');
    renameSync(rig.at('d'), `${outside}/d`);
    symlinkSync(`${outside}/d`, rig.at('d'));
    const [outcome] = await rig.engine.apply([{ kind: 'remove', path: '/d/a', expected }]);
    expect(outcome).toMatchObject({ ok: false, reason: 'link' });
    expect(readFileSync(`${outside}/d/a`, 'utf8')).toBe('1');
  });

  it('leaves a file that was edited', async () => {
    const rig = new DiskHarness();
    rig.write('a', '1');
    await rig.open();
    const expected = await rig.file('/a');
    rig.write('a', 'edited');
    expect(await apply(rig, { kind: 'remove', path: '/a', expected })).toEqual(['changed']);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('edited');
  });
});

describe('a step aside', () => {
  it('moves a directory with all it holds, and drops one that holds nothing', async () => {
    const rig = new DiskHarness();
    rig.write('d/.git/HEAD', 'h');
    mkdirSync(rig.at('empty/inner'), { recursive: true });
    await rig.open();
    const aside = (path: string): FolderOperation => ({
      kind: 'move_aside',
      path,
      asidePath: `${path} (copy)`,
      expected: null,
    });
    expect(await apply(rig, aside('/d'), aside('/empty'))).toEqual(['ok', 'ok']);
    expect(names(rig)).toEqual(['d (copy)']);
    expect(existsSync(rig.at('d (copy)/.git/HEAD'))).toBe(true);
  });

  it('tells that no directory is there any more, so that nobody plans with it', async () => {
    const rig = new DiskHarness();
    await rig.open();
    const aside: FolderOperation = { kind: 'move_aside', path: '/d', asidePath: '/d (copy)', expected: null };
    expect(await apply(rig, aside)).toEqual(['changed']);
    expect(await rig.scan()).toEqual(['/d gone']);
  });
});

describe('a step aside that the disk refuses half-way', () => {
  /** Refuses one kind of call once the rig is ready. */
  async function refusing(faults: (refuses: () => boolean) => Parameters<typeof faultyFileSystem>[0]) {
    let ready = false;
    const rig = new DiskHarness(faultyFileSystem(faults(() => ready)));
    rig.write('a', 'mine');
    await rig.open();
    const expected = await rig.file('/a');
    await rig.engine.scan('full');
    ready = true;
    return { rig, expected };
  }
  const noRename = (refuses: () => boolean) => ({
    rename: (from: string, to: string) => {
      if (refuses()) throw diskError('EIO');
      nodeFileSystem.rename(from, to);
    },
  });

  it('leaves no second name when the new content could not take the first', async () => {
    const { rig, expected } = await refusing(noRename);
    const [outcome] = await rig.engine.apply([put('/a', 'theirs', expected, '/a (copy)')]);
    expect(outcome).toMatchObject({ ok: false, reason: 'failed', code: 'EIO' });
    expect(outcome).not.toHaveProperty('steppedAside');
    expect(names(rig)).toEqual(['a']);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('mine');
  });

  it('says that the version has its other name when that could not be taken back', async () => {
    const { rig, expected } = await refusing((refuses) => ({
      ...noRename(refuses),
      unlink: (file) => {
        if (refuses() && file.endsWith('(copy)')) throw diskError('EIO');
        nodeFileSystem.unlink(file);
      },
    }));
    const [outcome] = await rig.engine.apply([put('/a', 'theirs', expected, '/a (copy)')]);
    expect(outcome).toMatchObject({ ok: false, steppedAside: true });
    expect(names(rig)).toEqual(['a', 'a (copy)']);
  });

  it('says what was done and is not durable, so that the journal keeps it', async () => {
    const { rig, expected } = await refusing((refuses) => ({
      syncDirectory: (directory) => {
        if (refuses()) throw diskError('EIO');
        nodeFileSystem.syncDirectory(directory);
      },
    }));
    const [outcome] = await rig.engine.apply([put('/a', 'theirs', expected, '/a (copy)')]);
    expect(outcome).toMatchObject({ ok: false, steppedAside: true, unfinished: true });
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('theirs');
    expect(readFileSync(rig.at('a (copy)'), 'utf8')).toBe('mine');
  });

  it('takes nothing for settled that a power cut may still undo', async () => {
    let refused = true;
    const { rig, expected } = await refusing((refuses) => ({
      syncDirectory: (directory) => {
        if (refuses() && refused) throw diskError('EIO');
        nodeFileSystem.syncDirectory(directory);
      },
    }));
    await rig.engine.apply([put('/a', 'theirs', expected, '/a (copy)'), put('/d/b', 'B')]);
    rig.pass(10_000);
    const paths = ['/a', '/a (copy)', '/d/b'];
    expect([...(await rig.engine.scan('full')).unsettled].sort()).toEqual(paths);
    expect((await rig.engine.scan('dirty')).recheckInMs).not.toBeNull();
    refused = false;
    expect((await rig.engine.scan('dirty')).unsettled).toEqual([]);
  });

  it('is done, and not finished before its temporary name is gone, too', async () => {
    let refusals = 1;
    const { rig } = await refusing((refuses) => ({
      unlink: (file) => {
        if (refuses() && refusals > 0) {
          refusals -= 1;
          throw diskError('EACCES');
        }
        nodeFileSystem.unlink(file);
      },
    }));
    const [outcome] = await rig.engine.apply([put('/new', 'theirs')]);
    expect(outcome).toMatchObject({ ok: false, unfinished: true });
    expect(readFileSync(rig.at('new'), 'utf8')).toBe('theirs');
    expect(names(rig).filter((name) => name.startsWith(tempPrefix))).toHaveLength(1);
    await rig.engine.scan('dirty');
    expect(names(rig)).toEqual(['a', 'new']);
  });

  it('says that a temporary file is left, so that the journal keeps it', async () => {
    const { rig, expected } = await refusing((refuses) => ({
      ...noRename(refuses),
      unlink: (file) => {
        if (refuses()) throw diskError('EIO');
        nodeFileSystem.unlink(file);
      },
    }));
    const [outcome] = await rig.engine.apply([put('/a', 'theirs', expected)]);
    expect(outcome).toMatchObject({ ok: false, unfinished: true });
  });
});

describe('recovery', () => {
  it('makes durable what it removed before the journal forgets it', async () => {
    const synced: string[] = [];
    const rig = new DiskHarness(
      faultyFileSystem({
        syncDirectory: (directory) => {
          synced.push(directory);
          nodeFileSystem.syncDirectory(directory);
        },
      }),
    );
    rig.write('d/.mooring-tmp-1', 'half');
    await rig.open();
    synced.length = 0;
    await rig.engine.recover([
      { kind: 'temp', path: '/d/a', tempName: '.mooring-tmp-1' },
      { kind: 'temp', path: '/gone/b', tempName: '.mooring-tmp-2' },
    ]);
    expect(existsSync(rig.at('d/.mooring-tmp-1'))).toBe(false);
    expect(synced).toEqual([rig.at('d'), rig.at('gone')]);
  });
});
