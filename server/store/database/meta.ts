// Metadata of the database: its epoch and the list of its blob files.
import type { ReadStatements, WriteStatements } from './statements.ts';

/** Random id of this database's life; a restored backup begins a new one. */
export function readEpoch(statements: ReadStatements): string {
  const row = statements.get<{ value: string }>("SELECT value FROM meta WHERE key = 'epoch'");
  if (row === undefined) throw new Error('the database has no epoch');
  return row.value;
}

export function beginEpoch(statements: WriteStatements): string {
  const epoch = crypto.randomUUID();
  statements.run("UPDATE meta SET value = ? WHERE key = 'epoch'", epoch);
  return epoch;
}

/** Contents in files. */
export function listBlobFiles(statements: ReadStatements): readonly { hash: string; size: number }[] {
  return statements.all('SELECT lower(hex(hash)) AS hash, size FROM blobs WHERE bytes IS NULL');
}
