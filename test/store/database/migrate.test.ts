import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  FutureDatabaseError,
  migrate,
  migrations,
  schemaVersion,
} from '../../../server/store/database/migrate.ts';
import type { Migration } from '../../../server/store/database/migrations/migration.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { openTestStore } from '../../support/store.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function openDatabase() {
  return openForWriting(path.join(tempFolder(), databaseFileName));
}

describe('migrations', () => {
  it('are numbered one after the other from 1', () => {
    expect(migrations.map((migration) => migration.version)).toEqual(migrations.map((_, index) => index + 1));
  });

  it('bring a new database to the last version, once, with only strict tables', () => {
    const database = openDatabase();
    migrate(database);
    migrate(database);
    expect(schemaVersion(database)).toBe(migrations.length);
    const tables = database.all(
      "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
    );
    for (const table of tables as { name: string; strict: number }[]) {
      if (!table.name.startsWith('sqlite_')) expect(table).toEqual({ name: table.name, strict: 1 });
    }
    expect(database.pragma('journal_mode')).toBe('wal');
    expect(database.pragma('synchronous')).toBe(2);
    database.close();
  });

  it('0001 makes the counters and an epoch', () => {
    const database = openDatabase();
    migrate(database, migrations.slice(0, 1));
    expect(database.all('SELECT name, last FROM counters ORDER BY name')).toEqual([
      { name: 'event', last: 0 },
      { name: 'event_floor', last: 0 },
      { name: 'operation', last: 0 },
      { name: 'revision', last: 0 },
    ]);
    expect(database.get("SELECT length(value) AS length FROM meta WHERE key = 'epoch'")).toEqual({
      length: 36,
    });
    database.close();
  });

  it('that fail leave the database as it was before them', () => {
    const database = openDatabase();
    const failing: Migration = {
      version: 2,
      up(connection) {
        connection.exec('CREATE TABLE half (a INTEGER) STRICT');
        throw new Error('no');
      },
    };
    migrate(database);
    expect(() => migrate(database, [...migrations, failing])).toThrow('no');
    expect(schemaVersion(database)).toBe(migrations.length);
    expect(database.get("SELECT 1 FROM sqlite_schema WHERE name = 'half'")).toBeUndefined();
    database.close();
  });

  it('a database from the future is refused with the two versions, untouched, and the directory is free again', async () => {
    const { store, dataDir } = await openTestStore();
    await store.close();
    const file = path.join(dataDir, databaseFileName);
    const future = new Database(file);
    future.pragma('user_version = 999');
    future.close();
    await expect(openTestStore({ dataDir })).rejects.toThrow(FutureDatabaseError);
    await expect(openTestStore({ dataDir })).rejects.toThrow(
      `version 999 and this program knows versions up to ${migrations.length}`,
    );
  });
});
