// What is kept, what is let go, and what a copy of it all is worth.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { blobFile, inlineBytesMax } from '../../server/store/contents/blob-files.ts';
import { DataDirInUseError } from '../../server/store/database/data-dir-lock.ts';
import { databaseFileName, openForWriting } from '../../server/store/database/sqlite.ts';
import { restoreBackup } from '../../server/store/maintenance/backup.ts';
import { BackupError } from '../../server/store/maintenance/backup-target.ts';
import { CorruptStoreError } from '../../server/store/maintenance/corruption.ts';
import type { Store } from '../../server/store/port/store.ts';
import { any, dayMs, openTestStore, testWorkspace } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';

const large = (fill: number) => Buffer.alloc(inlineBytesMax + 1, fill);

function blobNames(dataDir: string): string[] {
  return readdirSync(path.join(dataDir, 'blobs'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.basename(name))
    .filter((name) => name.length === 64)
    .toSorted();
}

const feed = { direction: 'asc', limit: 100, pathPrefix: null, provider: null, access: null } as const;

/** Of the revision, the event and the operation that came last. */
async function newestNumbers(store: Store): Promise<readonly number[]> {
  const { events } = await store.events.list(testWorkspace, { ...feed, from: null });
  const operations = await store.operations.list(testWorkspace, { cursor: null, limit: 1 });
  const event = events.at(-1);
  return [event?.revision ?? 0, event?.seq ?? 0, Number(operations?.items[0]?.opId.slice('op_'.length))];
}

describe('contents', () => {
  it('of every size come back as they were, small ones from the database and large ones from files', async () => {
    const { store, dataDir, put } = await openTestStore();
    for (const size of [0, 1, inlineBytesMax, inlineBytesMax + 1, 3_000_000]) {
      const bytes = Buffer.alloc(size, size % 251);
      await put(`/s${size}`, bytes);
      const entry = await store.files.get(testWorkspace, `/s${size}`);
      const hash = entry?.type === 'file' ? entry.hash : '';
      expect(Buffer.from((await store.files.read(hash)) ?? [1, 2, 3]).equals(bytes)).toBe(true);
      const opened = await store.files.open(hash);
      expect(opened?.sizeBytes).toBe(size);
      expect((await new Response(opened?.stream).bytes()).byteLength).toBe(size);
    }
    expect(blobNames(dataDir)).toHaveLength(2);
    expect(await store.files.read('0'.repeat(64))).toBeNull();
    expect(await store.files.open('0'.repeat(64))).toBeNull();
  });

  it('travel to the writer byte for byte, not with the memory pool that they were made in', async () => {
    const { store, change, write } = await openTestStore();
    const every = Buffer.from(Array.from({ length: 300 }, (_, n) => n % 256));
    expect(every.buffer.byteLength).toBeGreaterThan(every.byteLength);
    const asStream = (async function* () {
      yield every;
    })();
    const { content } = await store.content.stageStream(asStream, 1_000);
    expect(content).toEqual(await store.content.stage(every));
    expect(content).toMatchObject({ sizeBytes: 300, binary: every.toString('latin1') });
    await change([{ ...(await write('/every', '')), content }]);
    expect(await store.files.read(content.hash)).toEqual(every);
  });

  it('go when the last revision that names them goes, and not before', async () => {
    const { store, clock, dataDir, put, remove } = await openTestStore();
    await put('/a', large(1));
    await put('/b', large(1));
    await remove('/a');
    clock.now += 31 * dayMs;
    await store.maintenance.applyRetention(clock.now);
    expect(blobNames(dataDir)).toHaveLength(1);
    await remove('/b');
    await store.maintenance.applyRetention(clock.now);
    expect(blobNames(dataDir)).toHaveLength(1);
    clock.now += 31 * dayMs;
    expect(await store.maintenance.applyRetention(clock.now)).toMatchObject({ blobs: 1 });
    expect(blobNames(dataDir)).toEqual([]);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('outlive a clock that runs ahead: retention moves on by a day at a time', async () => {
    const { store, clock, put } = await openTestStore({ settings: { historyRevisionsMin: 1 } });
    const { maintenance, files } = store;
    const pass = async () =>
      await maintenance.applyRetention(await maintenance.retentionTime({ clockMs: clock.now }));
    const first = await put('/a', 'one');
    clock.now += 20 * dayMs;
    await put('/a', 'two');
    await pass();
    const right = clock.now;
    clock.now += 3_650 * dayMs;
    expect(await pass()).toMatchObject({ revisions: 0 });
    clock.now = right + 1;
    expect(await maintenance.retentionTime({ clockMs: clock.now })).toBe(clock.now);
    expect(await files.revision(testWorkspace, '/a', first, null)).not.toBeNull();
    // Who was away for long catches up.
    clock.now += 60 * dayMs;
    let removed = 0;
    for (let passes = 0; passes < 60 && removed === 0; passes += 1) removed += (await pass()).revisions;
    expect(removed).toBe(1);
    expect((await pass()).revisions).toBe(0);
  });

  it('that are staged anew while the last row that named them goes stay for the command that comes', async () => {
    const { store, clock, put, remove, write, change, textOf } = await openTestStore();
    await put('/a', large(2));
    await remove('/a');
    clock.now += 31 * dayMs;
    const again = await write('/b', large(2));
    await store.maintenance.applyRetention(clock.now);
    expect(await change([again])).toMatchObject([{ ok: true }]);
    expect(await textOf('/b')).toHaveLength(inlineBytesMax + 1);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('that a crash left without a row are found at a start a week later and go with the next sweep; what rows name stays', async () => {
    const first = await openTestStore();
    await first.put('/kept', large(3));
    const staged = await first.store.content.stage(large(4));
    await first.store.close();
    first.clock.now = Date.now() + 8 * dayMs;
    writeFileSync(path.join(first.dataDir, 'blobs', 'incoming', 'torn'), 'half');
    expect(blobNames(first.dataDir)).toHaveLength(2);
    const second = await openTestStore({ dataDir: first.dataDir, clock: first.clock });
    await second.store.maintenance.applyRetention(first.clock.now);
    expect(existsSync(blobFile(first.dataDir, staged.hash))).toBe(false);
    expect(readdirSync(path.join(first.dataDir, 'blobs', 'incoming'))).toEqual([]);
    expect(await second.textOf('/kept')).toHaveLength(inlineBytesMax + 1);
  });

  it('are checked only before some are removed', async () => {
    const { store, clock, dataDir, put } = await openTestStore({ settings: { historyRevisionsMin: 1 } });
    await put('/a', 'one');
    await put('/a', 'two');
    const database = openForWriting(path.join(dataDir, databaseFileName));
    database.run('UPDATE blobs SET refs = refs + 1');
    database.close();
    expect(await store.maintenance.applyRetention(clock.now)).toMatchObject({ revisions: 0, blobs: 0 });
    clock.now += 31 * dayMs;
    await expect(store.maintenance.applyRetention(clock.now)).rejects.toBeInstanceOf(CorruptStoreError);
  });

  it('that are missing or cut short are found by the integrity check', async () => {
    const { store, dataDir, put } = await openTestStore();
    await put('/a', large(5));
    const [hash] = blobNames(dataDir);
    writeFileSync(blobFile(dataDir, hash ?? ''), 'short');
    expect(await store.maintenance.integrityCheck()).toEqual([expect.stringContaining('5 bytes instead of')]);
    rmSync(blobFile(dataDir, hash ?? ''));
    expect(await store.maintenance.integrityCheck()).toEqual([`the file of content ${hash} is missing`]);
  });
});

describe('retention', () => {
  it('keeps all revisions of 30 days and the last 20 of a file however old, and lets a deleted path go whole', async () => {
    const { store, clock, put, remove } = await openTestStore();
    for (let n = 1; n <= 25; n += 1) await put('/often', `v${n}`);
    await put('/deleted', 'x');
    await remove('/deleted');
    clock.now += 29 * dayMs;
    expect(await store.maintenance.applyRetention(clock.now)).toMatchObject({ revisions: 0 });
    clock.now += 2 * dayMs;
    await put('/often', 'v26');
    expect(await store.maintenance.applyRetention(clock.now)).toMatchObject({ revisions: 8 });
    const kept = await store.files.history(testWorkspace, '/often', 100, null);
    expect(kept).toHaveLength(20);
    expect(kept[0]).toMatchObject({ revision: 28 });
    expect(await store.files.history(testWorkspace, '/deleted', 100, null)).toEqual([]);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('of events and finished operations keeps the young, the newest, and what still waits; the gap is told', async () => {
    const { store, clock, put } = await openTestStore({
      settings: { feedRowsMin: 5, externalWriteback: 'all' },
    });
    for (let n = 1; n <= 20; n += 1) await put(`/f${n}`);
    for (let n = 1; n <= 20; n += 1) {
      if (n === 3) continue;
      const done = { success: true, error: null, providerResult: null, atMs: clock.now };
      await store.content.acknowledgeOperation({ workspaceId: testWorkspace, opId: `op_${n}`, ...done });
    }
    expect(await store.maintenance.applyRetention(clock.now)).toMatchObject({ events: 0, operations: 0 });
    expect(await store.events.range(testWorkspace)).toEqual({ oldest: 1, last: 20 });
    clock.now += 31 * dayMs;
    expect(await store.maintenance.applyRetention(clock.now)).toMatchObject({ events: 15, operations: 14 });
    expect(await store.events.range(testWorkspace)).toEqual({ oldest: 16, last: 20 });
    expect((await store.operations.pending(testWorkspace, 9)).map((row) => row.opId)).toEqual(['op_3']);
  });

  it('works through more than one slice, and takes a long deleted workspace apart with all it held', async () => {
    const { store, clock, change, write } = await openTestStore();
    const paths = Array.from({ length: 1_100 }, (_, index) => `/n/${index}`);
    await change(
      await Promise.all(paths.map((name) => write(name, name, { semantics: { comments: [name] } }))),
    );
    await change(paths.map((name) => ({ kind: 'delete_file', path: name, precondition: any })));
    clock.now += 31 * dayMs;
    expect(await store.maintenance.applyRetention(clock.now)).toMatchObject({
      revisions: 2_200,
      blobs: 1_100,
    });
    await change(await Promise.all(paths.map((name) => write(name, name))));
    await store.workspaces.setDeleted({ workspaceId: testWorkspace, deletedAtMs: clock.now });
    clock.now += 31 * dayMs;
    await store.maintenance.applyRetention(clock.now);
    expect(await store.workspaces.list({ includeDeleted: true })).toEqual([]);
    expect(await store.maintenance.counts()).toMatchObject({ workspaces: 0, files: 0 });
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });
});

describe('a backup', () => {
  it('taken while writes go on is whole, and restoring it brings its state back under a new epoch', async () => {
    const { store, dataDir, put, textOf } = await openTestStore();
    await put('/a', 'one');
    await put('/large', large(6));
    const epoch = await store.maintenance.epoch();
    let writing = true;
    const writer = (async () => {
      for (let n = 0; writing; n += 1) await put(`/during/${n % 50}`, large(n % 250));
    })();
    const backup = tempFolder('mooring-backup');
    const { blobFiles, bytes } = await store.maintenance.backup(backup);
    writing = false;
    await writer;
    expect(blobFiles).toBeGreaterThan(0);
    expect(bytes).toBeGreaterThan(inlineBytesMax);
    await put('/a', 'two');
    await put('/late', large(251));
    await expect(restoreBackup(backup, dataDir)).rejects.toBeInstanceOf(DataDirInUseError);
    expect(await textOf('/a')).toBe('two');
    await store.close();

    const { epoch: newEpoch, replaced } = await restoreBackup(backup, dataDir);
    const restored = await openTestStore({ dataDir });
    expect(newEpoch).not.toBe(epoch);
    expect(await restored.store.maintenance.epoch()).toBe(newEpoch);
    expect(await restored.textOf('/a')).toBe('one');
    expect(await restored.textOf('/large')).toHaveLength(inlineBytesMax + 1);
    expect(await restored.store.files.get(testWorkspace, '/late')).toBeNull();
    expect(await restored.store.maintenance.integrityCheck()).toEqual([]);
    await restored.store.close();

    // What was replaced is a backup itself.
    await restoreBackup(replaced ?? '', dataDir);
    const back = await openTestStore({ dataDir });
    expect([await back.textOf('/a'), (await back.textOf('/late'))?.length]).toEqual([
      'two',
      inlineBytesMax + 1,
    ]);
    expect(await back.store.maintenance.integrityCheck()).toEqual([]);
  });

  it('never gives a number out again that came after it, and still keeps as many of the feed', async () => {
    const { store, dataDir, put, clock } = await openTestStore();
    await put('/a', 'one');
    const backup = tempFolder('mooring-backup');
    await store.maintenance.backup(backup);
    await put('/b', 'two');
    await put('/c', 'three');
    const lost = await newestNumbers(store);
    await store.close();

    await restoreBackup(backup, dataDir);
    const restored = await openTestStore({ dataDir, clock });
    await restored.put('/d', 'four');
    const first = await newestNumbers(restored.store);
    expect(first.map((number) => number % 1_000_000)).toEqual([1, 1, 1]);
    expect(first.map((number, index) => number > (lost[index] ?? 0))).toEqual([true, true, true]);
    // A cursor of the lost time reads on where the restored store goes on.
    const after = await restored.store.events.list(testWorkspace, { ...feed, from: lost[1] ?? 0 });
    expect(after.events.map((event) => event.path)).toEqual(['/d']);
    await restored.store.close();

    // Somewhere else nothing of the lost time is known, and a copy of a copy goes its own way.
    const elsewhere = tempFolder('mooring-elsewhere');
    await restoreBackup(backup, elsewhere);
    await restoreBackup(backup, elsewhere);
    const other = await openTestStore({ dataDir: elsewhere, clock });
    await other.put('/d', 'four');
    const numbers = await newestNumbers(other.store);
    expect(numbers.map((number) => number > 1_000_000)).toEqual([true, true, true]);
    clock.now += 400 * dayMs;
    await other.store.maintenance.applyRetention(clock.now);
    // Two events are fewer than are always kept, however far their numbers lie apart.
    expect((await other.store.events.list(testWorkspace, { ...feed, from: null })).events).toHaveLength(2);
    expect(await other.store.maintenance.integrityCheck()).toEqual([]);
  });

  it('that is unfinished, damaged or incomplete is refused before anything is replaced', async () => {
    const { store, dataDir, put } = await openTestStore();
    await put('/large', large(7));
    const [hash] = blobNames(dataDir);
    const backup = tempFolder('mooring-backup');
    await store.maintenance.backup(backup);
    await expect(store.maintenance.backup(backup)).rejects.toBeInstanceOf(BackupError);
    const target = tempFolder('mooring-target');
    await expect(restoreBackup(tempFolder('empty'), target)).rejects.toThrow('no finished backup');
    writeFileSync(blobFile(backup, hash ?? ''), large(8));
    await expect(restoreBackup(backup, target)).rejects.toThrow('is corrupted');
    rmSync(blobFile(backup, hash ?? ''));
    await expect(restoreBackup(backup, target)).rejects.toThrow('lacks the content');
    expect(readdirSync(target)).toEqual(['store.lock']);
  });
});

describe('a data directory', () => {
  it('has one owner', async () => {
    const { dataDir } = await openTestStore();
    await expect(openTestStore({ dataDir })).rejects.toBeInstanceOf(DataDirInUseError);
  });
});
