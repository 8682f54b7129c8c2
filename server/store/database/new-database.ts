// Brings a database to the schema of this program: a new one at once, an existing one by the migrations that it lacks. What all
// migrations together leave is made in a sixth of their time.
import { migrate, schemaVersion } from './migrate.ts';
import { schema, schemaOfVersion } from './schema.ts';
import type { SqliteWriteStatements } from './sqlite-statements.ts';

/** Throws FutureDatabaseError, or what the disk says; the database is as before then. */
export function prepareSchema(database: SqliteWriteStatements): void {
  if (schemaVersion(database) === 0) create(database);
  migrate(database);
}

/** One transaction: one sync of the disk. */
function create(database: SqliteWriteStatements): void {
  database.transaction(() => {
    database.exec(schema);
    database.run("INSERT INTO meta (key, value) VALUES ('epoch', ?)", crypto.randomUUID());
    database.pragma(`user_version = ${schemaOfVersion}`);
  });
}
