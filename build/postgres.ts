// Finds the programs of PostgreSQL that the tests of a hub start.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Where packages of systems put the programs. */
const folders = ['/usr/lib/postgresql', '/usr/local/opt', '/opt/homebrew/opt'];

function programsFolder(): string | null {
  const found = folders.flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name, 'bin')) : [],
  );
  const inPath = (process.env.PATH ?? '').split(path.delimiter);
  const newestFirst = found.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  return [...newestFirst, ...inPath].find((bin) => existsSync(path.join(bin, 'initdb'))) ?? null;
}

/** The folder of `initdb` and `postgres` of the newest version; null: there is none. */
export const postgresPrograms = programsFolder();

/** Why the tests of a hub cannot run here; null: they can. */
export const noPostgres =
  process.env.MOORING_TEST_DATABASE !== undefined || postgresPrograms !== null
    ? null
    : 'there is no PostgreSQL: install it (apt-get install postgresql), or name a server with MOORING_TEST_DATABASE';
