// A disk that changed, lost or exchanged what was stored: it is noticed, said, never handed on, and never made worse.
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { storeChecks } from '../../../server/agent/maintenance.ts';
import { blobFile, inlineBytesMax } from '../../../server/store/contents/blob-files.ts';
import { databaseFileName } from '../../../server/store/database/sqlite.ts';
import { restoreBackup } from '../../../server/store/maintenance/backup.ts';
import { BackupError } from '../../../server/store/maintenance/backup-target.ts';
import { CorruptStoreError } from '../../../server/store/maintenance/corruption.ts';
import { CorruptContentError, StoreUnavailableError } from '../../../server/store/port/errors.ts';
import { dayMs, openTestStore, testWorkspace } from '../../support/store.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const large = (fill: number) => Buffer.alloc(inlineBytesMax * 3, fill);

async function withLargeFile() {
  const opened = await openTestStore();
  await opened.put('/docs/large', large(1));
  const entry = await opened.store.files.get(testWorkspace, '/docs/large');
  const hash = entry?.type === 'file' ? entry.hash : '';
  return { ...opened, hash, file: blobFile(opened.dataDir, hash) };
}

/** One bit of one byte, at the same length. */
function flip(file: string): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 7) ^ 1, bytes.length - 7);
  writeFileSync(file, bytes);
}

async function readAll(stream: ReadableStream<Uint8Array> | undefined): Promise<number> {
  return (await new Response(stream).bytes()).byteLength;
}

describe('a content whose file has changed on the disk', () => {
  it('is refused, whole and in a stream, before its last byte is out', async () => {
    const { store, hash, file } = await withLargeFile();
    flip(file);
    await expect(store.files.read(hash)).rejects.toBeInstanceOf(CorruptContentError);
    const opened = await store.files.open(hash);
    await expect(readAll(opened?.stream)).rejects.toThrow(`${hash} is corrupted`);
    truncateSync(file, 1000);
    const short = await store.files.open(hash, { start: 500, end: 2000 });
    await expect(readAll(short?.stream)).rejects.toBeInstanceOf(CorruptContentError);
    rmSync(file);
    await expect(store.files.read(hash)).rejects.toThrow(`${hash} is missing`);
  });

  it.each(['bytes', 'stream'] as const)('is whole again when it is written again as %s', async (how) => {
    const { store, hash, file } = await withLargeFile();
    flip(file);
    const bytes = large(1);
    if (how === 'bytes') await store.content.stage(bytes);
    else
      await store.content.stageStream(
        (async function* () {
          yield bytes;
        })(),
        bytes.length,
      );
    expect(bytes.equals((await store.files.read(hash)) ?? Buffer.alloc(0))).toBe(true);
  });

  it('is in no backup: the file is named, and nothing of the backup stays', async () => {
    const { store, file } = await withLargeFile();
    flip(file);
    const dir = path.join(tempFolder('mooring-backup'), 'new');
    await expect(store.maintenance.backup(dir)).rejects.toThrow('/docs/large at rev_1 in Test is corrupted');
    rmSync(file);
    await expect(store.maintenance.backup(dir)).rejects.toThrow('/docs/large at rev_1 in Test is missing');
    expect(readdirSync(dir)).toEqual([]);
  });

  it('comes back with a backup that is restored', async () => {
    const { store, dataDir, hash, file } = await withLargeFile();
    const backup = tempFolder('mooring-backup');
    await store.maintenance.backup(backup);
    await store.close();
    flip(file);
    await restoreBackup(backup, dataDir);
    const restored = await openTestStore({ dataDir });
    expect(large(1).equals((await restored.store.files.read(hash)) ?? Buffer.alloc(0))).toBe(true);
  });

  it('that lies in the database is found by the check', async () => {
    const { store, dataDir, put } = await openTestStore();
    await put('/small', 'as it was written');
    const entry = await store.files.get(testWorkspace, '/small');
    await store.close();
    const database = new Database(path.join(dataDir, databaseFileName));
    database.prepare("UPDATE blobs SET bytes = CAST('as it was writteN' AS BLOB)").run();
    database.close();
    expect(await storeChecks(dataDir)).toMatchObject([
      { state: 'failed', detail: `the content ${entry?.type === 'file' ? entry.hash : ''} is corrupted` },
    ]);
  });
});

describe('a database that is gone', () => {
  it('is missed while its contents or its log are there, and nothing of them is touched', async () => {
    const { store, dataDir, file } = await withLargeFile();
    await store.close();
    const database = path.join(dataDir, databaseFileName);
    renameSync(database, `${database}.away`);
    await expect(openTestStore({ dataDir })).rejects.toBeInstanceOf(CorruptStoreError);
    expect(await storeChecks(dataDir)).toMatchObject([{ state: 'failed' }]);
    // An empty one is no better.
    writeFileSync(database, '');
    await expect(openTestStore({ dataDir })).rejects.toThrow('what belongs to it is still there (blobs)');
    rmSync(path.dirname(path.dirname(file)), { recursive: true });
    writeFileSync(`${database}-wal`, 'what was written last');
    await expect(openTestStore({ dataDir })).rejects.toThrow('(mooring.db-wal)');
    expect(readFileSync(`${database}-wal`, 'utf8')).toBe('what was written last');
  });

  it('is not made anew when it was taken away from a running agent', async () => {
    const { store, dataDir, put } = await withLargeFile();
    rmSync(path.join(dataDir, databaseFileName));
    await put('/later', 'nobody will find it');
    await store.close();
    expect(existsSync(path.join(dataDir, databaseFileName))).toBe(false);
    await expect(openTestStore({ dataDir })).rejects.toBeInstanceOf(CorruptStoreError);
  });

  it('is what it was once it is put back', async () => {
    const { store, dataDir, textOf } = await withLargeFile();
    await store.close();
    const database = path.join(dataDir, databaseFileName);
    renameSync(database, `${database}.away`);
    await expect(openTestStore({ dataDir })).rejects.toBeInstanceOf(CorruptStoreError);
    renameSync(`${database}.away`, database);
    const again = await openTestStore({ dataDir });
    expect(await again.textOf('/docs/large')).toHaveLength(inlineBytesMax * 3);
    await expect(textOf('/docs/large')).rejects.toThrow();
  });

  it('takes its log along when a backup comes in its place', async () => {
    const { store, dataDir, put } = await openTestStore();
    await put('/a', 'in the backup');
    const backup = tempFolder('mooring-backup');
    await store.maintenance.backup(backup);
    for (let n = 0; n < 50; n += 1) await put(`/later-${n}`, `written after it ${n}`);
    const database = path.join(dataDir, databaseFileName);
    const log = path.join(tempFolder('mooring-log'), 'wal');
    // As a crash leaves it.
    copyFileSync(`${database}-wal`, log);
    await store.close();
    rmSync(database);
    copyFileSync(log, `${database}-wal`);

    const { replaced } = await restoreBackup(backup, dataDir);
    const restored = await openTestStore({ dataDir });
    expect(await restored.store.maintenance.integrityCheck()).toEqual([]);
    expect(await restored.textOf('/a')).toBe('in the backup');
    expect(await restored.store.files.get(testWorkspace, '/later-1')).toBeNull();
    expect(readdirSync(replaced ?? '')).toContain(`${databaseFileName}-wal`);
  });
});

describe('a database that is corrupted', () => {
  it('is refused in words at the start, by doctor and as a backup', async () => {
    const { store, dataDir } = await withLargeFile();
    const backup = tempFolder('mooring-backup');
    await store.maintenance.backup(backup);
    await store.close();
    for (const dir of [dataDir, backup]) {
      const file = path.join(dir, databaseFileName);
      writeFileSync(file, Buffer.concat([Buffer.alloc(4096, 0xa5), readFileSync(file).subarray(4096)]));
    }
    await expect(openTestStore({ dataDir })).rejects.toThrow('is corrupted: file is not a database');
    expect(await storeChecks(dataDir)).toMatchObject([
      { state: 'failed', detail: 'database: file is not a database' },
    ]);
    await expect(restoreBackup(backup, tempFolder('mooring-target'))).rejects.toBeInstanceOf(BackupError);
  });
});

describe('what stands in the place of another database', () => {
  it('meets no log of that one after a stop, and its contents stay for a week', async () => {
    const { store, dataDir, put, clock } = await openTestStore();
    clock.now = Date.now();
    await put('/a', 'one');
    const backup = tempFolder('mooring-backup');
    await store.maintenance.backup(backup);
    await put('/newer', large(2));
    await store.close();
    const database = path.join(dataDir, databaseFileName);
    expect(readdirSync(dataDir).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);

    renameSync(database, `${database}.newer`);
    copyFileSync(path.join(backup, databaseFileName), database);
    const older = await openTestStore({ dataDir, clock });
    expect(await older.textOf('/a')).toBe('one');
    await older.store.close();
    renameSync(`${database}.newer`, database);
    const newer = await openTestStore({ dataDir, clock });
    expect(await newer.textOf('/newer')).toHaveLength(inlineBytesMax * 3);
  });

  it('lets go of what nobody has named for a week', async () => {
    const { store, dataDir, clock } = await openTestStore();
    const { hash } = await store.content.stage(large(3));
    await store.close();
    const file = blobFile(dataDir, hash);
    const written = (clock.now - 8 * dayMs) / 1000;
    utimesSync(file, written, written);
    const again = await openTestStore({ dataDir, clock });
    await again.store.maintenance.applyRetention(clock.now);
    expect(existsSync(file)).toBe(false);
  });
});

it('a row without values that its table requires is a fault of the store, not an answer', async () => {
  const { store, dataDir } = await openTestStore();
  const database = new Database(path.join(dataDir, databaseFileName));
  // As a corrupted page would have it: SQLite refuses to write such a row as long as the schema forbids it.
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  const schemaOf = (from: string, to: string) =>
    database
      .prepare("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'workspaces'")
      .run(from, to);
  schemaOf('name TEXT NOT NULL', 'name TEXT         ');
  database.close();
  const loose = new Database(path.join(dataDir, databaseFileName));
  loose.prepare('UPDATE workspaces SET name = NULL').run();
  loose.unsafeMode(true);
  loose.pragma('writable_schema = ON');
  loose
    .prepare("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'workspaces'")
    .run('name TEXT         ', 'name TEXT NOT NULL');
  loose.close();
  await expect(store.workspaces.list({ includeDeleted: false })).rejects.toThrow(StoreUnavailableError);
  await expect(store.workspaces.get(testWorkspace)).rejects.toMatchObject({ fault: 'corrupted' });
});
