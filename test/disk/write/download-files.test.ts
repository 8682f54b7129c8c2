import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileChunk, FolderOperation, OperationOutcome } from '../../../server/disk/port/folder.ts';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { sha256Hex } from '../../../server/platform/crypto/hashes.ts';
import { DiskHarness } from '../../support/disk-harness.ts';
import { diskError, faultyFileSystem } from '../../support/engine-folder.ts';

const tempName = '.mooring-tmp-pieces';

async function openRig(rig = new DiskHarness()): Promise<DiskHarness> {
  await rig.open();
  await rig.settled();
  return rig;
}

function piece(position: number, text: string, path = '/d/file'): FileChunk {
  return { path, tempName, expected: null, position, bytes: new Uint8Array(Buffer.from(text)) };
}

function put(text: string, path = '/d/file'): FolderOperation {
  return {
    kind: 'put',
    path,
    tempName,
    bytes: null,
    hash: sha256Hex(text),
    expected: null,
    asidePath: null,
  };
}

async function putOne(rig: DiskHarness, operation: FolderOperation): Promise<OperationOutcome | undefined> {
  return (await rig.engine.apply([operation]))[0];
}

/** Whatever lies in the folder but the mirror's own directory. */
function left(rig: DiskHarness): readonly string[] {
  return readdirSync(rig.root, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith('.mooring/') && name !== '.mooring')
    .sort();
}

describe('reading a file in pieces', () => {
  it('gives its bytes from any position, and no more than there are', async () => {
    const rig = await openRig();
    rig.write('file', 'one two three');
    const expected = await rig.file('/file');
    const at = async (position: number, bytesMax: number) => {
      const outcome = await rig.engine.readPiece({ path: '/file', expected, position, bytesMax });
      return outcome.ok ? Buffer.from(outcome.bytes).toString() : null;
    };
    expect([await at(0, 4), await at(4, 4), await at(8, 100), await at(13, 4)]).toEqual([
      'one ',
      'two ',
      'three',
      '',
    ]);
  });

  it('ends when it is not the file any more that was seen, and has the place looked at again', async () => {
    const rig = await openRig();
    rig.write('file', 'one two three');
    const expected = await rig.file('/file');
    await rig.settled();
    const request = { path: '/file', expected, position: 4, bytesMax: 4 };
    expect((await rig.engine.readPiece(request)).ok).toBe(true);
    rig.write('file', 'ONE TWO THREE');
    expect(await rig.engine.readPiece(request)).toEqual({ ok: false });
    rig.pass(10_000);
    expect(await rig.scan('dirty')).toEqual([`/file ${sha256Hex('ONE TWO THREE').slice(0, 6)}`]);
    expect((await rig.engine.readPiece({ ...request, path: '/gone' })).ok).toBe(false);
  });
});

describe('writing a file in pieces', () => {
  it('puts it in its place when all of it is there, with directories made for it', async () => {
    const synced: string[] = [];
    const rig = await openRig(
      new DiskHarness(
        faultyFileSystem({
          syncDirectory(path) {
            synced.push(path);
            nodeFileSystem.syncDirectory(path);
          },
        }),
      ),
    );
    synced.length = 0;
    expect(await rig.engine.writePiece(piece(0, 'one '))).toEqual({ ok: true, file: null });
    expect(synced, 'the new directory has a durable name').toEqual([rig.root]);
    expect(left(rig)).toEqual(['d', `d/${tempName}`]);
    await rig.engine.writePiece(piece(4, 'two'));
    expect(await putOne(rig, put('one two'))).toMatchObject({
      ok: true,
      file: { hash: sha256Hex('one two'), sizeBytes: 7 },
    });
    expect(readFileSync(rig.at('d/file'), 'utf8')).toBe('one two');
    expect(left(rig)).toEqual(['d', 'd/file']);
  });

  it('tells what it knows of the path when it was planned on a file that is not known there', async () => {
    const rig = await openRig();
    rig.write('file', 'one');
    const expected = await rig.file('/file');
    rmSync(rig.at('file'));
    expect(await rig.engine.writePiece({ ...piece(0, 'two', '/file'), expected })).toMatchObject({
      ok: false,
      reason: 'changed',
    });
    expect(await rig.scan('dirty')).toEqual(['/file gone']);
    expect(await rig.scan('dirty'), 'it says so once').toEqual([]);
  });

  it('leaves nothing of one whose bytes are not the announced ones', async () => {
    const rig = await openRig();
    await rig.engine.writePiece(piece(0, 'one '));
    expect(await putOne(rig, put('one two'))).toMatchObject({ ok: false, code: 'EVERIFY' });
    expect(left(rig)).toEqual(['d']);
  });

  it('leaves nothing of one whose temporary file somebody had a hand in', async () => {
    const rig = await openRig();
    await rig.engine.writePiece(piece(0, 'one '));
    writeFileSync(rig.at(`d/${tempName}`), 'theirs, longer');
    expect(await rig.engine.writePiece(piece(4, 'two'))).toMatchObject({ ok: false, reason: 'changed' });
    expect(left(rig)).toEqual(['d']);
    expect(await rig.engine.writePiece(piece(4, 'two')), 'its first piece is gone').toMatchObject({
      ok: false,
      reason: 'changed',
    });
    expect(await putOne(rig, put('one two'))).toMatchObject({ ok: false, reason: 'changed' });
  });

  it('does not begin where something else stands than what was planned', async () => {
    const rig = await openRig();
    rig.write('d/file', 'theirs');
    expect(await rig.engine.writePiece(piece(0, 'one '))).toMatchObject({ ok: false, reason: 'changed' });
    expect(left(rig)).toEqual(['d', 'd/file']);
  });

  it('leaves nothing of one that the disk has no room for', async () => {
    let room = 1;
    const rig = await openRig(
      new DiskHarness(
        faultyFileSystem({
          write(handle, bytes) {
            if (room === 0) throw diskError('ENOSPC');
            room -= 1;
            nodeFileSystem.write(handle, bytes);
          },
        }),
      ),
    );
    room = 1;
    await rig.engine.writePiece(piece(0, 'one '));
    expect(await rig.engine.writePiece(piece(4, 'two'))).toMatchObject({ ok: false, code: 'ENOSPC' });
    expect(left(rig)).toEqual(['d']);
  });

  it('leaves nothing when it is not wanted any more, however often that is said', async () => {
    const rig = await openRig();
    await rig.engine.writePiece(piece(0, 'one '));
    expect(await rig.engine.dropPieces('/d/file', tempName)).toBe(true);
    expect(await rig.engine.dropPieces('/d/file', tempName)).toBe(true);
    expect(left(rig)).toEqual(['d']);
  });

  it('says what it could not remove, and removes it with a later scan', async () => {
    let stuck = true;
    const rig = await openRig(
      new DiskHarness(
        faultyFileSystem({
          unlink(path) {
            if (stuck && path.endsWith(tempName)) throw diskError('EBUSY');
            nodeFileSystem.unlink(path);
          },
        }),
      ),
    );
    await rig.engine.writePiece(piece(0, 'one '));
    expect(await rig.engine.dropPieces('/d/file', tempName)).toBe(false);
    stuck = false;
    await rig.scan();
    expect(left(rig)).toEqual(['d']);
  });

  it('writes nothing into another folder that came in the place of the one that was planned for', async () => {
    const rig = await openRig();
    await rig.engine.writePiece(piece(0, 'one '));
    renameSync(rig.root, `${rig.root}-away`);
    mkdirSync(rig.root);
    const refused = { ok: false, reason: 'root' };
    expect(await rig.engine.writePiece(piece(4, 'two'))).toMatchObject({ ...refused, unfinished: true });
    expect(await rig.engine.writePiece(piece(0, 'other', '/other'))).toMatchObject(refused);
    expect(await putOne(rig, put('one two'))).toMatchObject({ ...refused, unfinished: true });
    expect(await putOne(rig, { ...put('x'), bytes: Buffer.from('x') } as FolderOperation)).toMatchObject(
      refused,
    );
    expect(await rig.engine.dropPieces('/d/file', tempName)).toBe(false);
    expect(readdirSync(rig.root)).toEqual([]);
    rmdirSync(rig.root);
    renameSync(`${rig.root}-away`, rig.root);
    await rig.scan();
    expect(existsSync(rig.at(`d/${tempName}`)), 'it goes when its folder is back').toBe(false);
  });
});
