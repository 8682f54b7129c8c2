import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate, migrations, schemaVersion } from '../../../server/store/database/migrate.ts';
import { prepareSchema } from '../../../server/store/database/new-database.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import type { SqliteWriteStatements } from '../../../server/store/database/sqlite-statements.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface Part {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

function openDatabase(): SqliteWriteStatements {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  onTestFinished(() => database.close());
  return database;
}

function migrated(): SqliteWriteStatements {
  const database = openDatabase();
  migrate(database);
  return database;
}

/** Tables, indexes and triggers in the order in which they were made; SQLite makes those without a text. */
function partsOf(database: SqliteWriteStatements): readonly Part[] {
  return database.all<Part>(
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
  );
}

/** The rows of each table that has some, without the epoch, which is random. */
function rowsOf(database: SqliteWriteStatements): readonly (readonly [table: string, row: object])[] {
  return partsOf(database)
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      database
        .all<object>(`SELECT * FROM "${name}"`)
        .filter((row) => !('key' in row && row.key === 'epoch'))
        .map((row) => [name, row] as const),
    );
}

/** The file that makes what the migrations leave. */
function asModule(database: SqliteWriteStatements): string {
  const statements = [
    ...partsOf(database).map(({ sql }) => sql),
    ...rowsOf(database).map(([table, row]) => {
      const values = Object.values(row).map((value) => (typeof value === 'number' ? value : `'${value}'`));
      return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`;
    }),
  ];
  return [
    '// What all migrations together leave in a new database. Written from them by',
    '// `npx vitest run test/store/database/schema.test.ts -u`; without `-u` the same test compares the two.',
    `export const schemaOfVersion = ${migrations.length};`,
    '',
    'export const schema = `',
    ...statements.map((sql) => `${sql};`),
    '`;',
    '',
  ].join('\n');
}

describe('the schema of a new database', () => {
  it('is the one that the migrations leave', async () => {
    await expect(asModule(migrated())).toMatchFileSnapshot('../../../server/store/database/schema.ts');
  });

  it('makes the same tables, indexes and rows, and an epoch of its own', () => {
    const created = openDatabase();
    prepareSchema(created);
    const expected = migrated();
    expect(schemaVersion(created)).toBe(migrations.length);
    expect(partsOf(created)).toEqual(partsOf(expected));
    expect(rowsOf(created)).toEqual(rowsOf(expected));
    expect(rowsOf(created).length).toBeGreaterThan(5);
    const epochs = [created, expected].map((database) =>
      database.get<{ value: string }>("SELECT value FROM meta WHERE key = 'epoch'"),
    );
    expect(epochs[0]?.value).toMatch(/^[0-9a-f-]{36}$/);
    expect(epochs[0]).not.toEqual(epochs[1]);
  });

  it('is not made in a database that has one: that is migrated, and keeps its rows', () => {
    const database = openDatabase();
    migrate(database, migrations.slice(0, 1));
    database.run("INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1)");
    prepareSchema(database);
    expect(schemaVersion(database)).toBe(migrations.length);
    expect(database.all('SELECT workspace_id FROM workspaces')).toEqual([{ workspace_id: 'rw_old' }]);
  });
});
