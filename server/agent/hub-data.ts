// What is done to the database of a hub while none of its processes runs: a new epoch, the import of an agent's backup.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { restoreBackup } from '../store/maintenance/backup.ts';
import { BackupError } from '../store/maintenance/backup-target.ts';
import { newHubEpoch } from '../store/postgres/hub-epoch.ts';
import { importStore } from '../store/postgres/import-store.ts';
import { UnfitDatabaseError } from '../store/postgres/unfit-database.ts';
import { AgentStartError, messageOf } from './start-failure.ts';

/** After the restore of a dump: numbers continue above all that were ever assigned. Throws an AgentStartError. */
export async function beginHubEpoch(url: string): Promise<void> {
  try {
    await newHubEpoch(url, Math.random());
  } catch (error) {
    throw error instanceof UnfitDatabaseError
      ? new AgentStartError(error.message, 'Stop every process of the hub first. See docs/hub.md.', error)
      : databaseNotOpened(url, error);
  }
}

/**
 * Copies the backup of an agent into the empty database of a hub, under a new epoch. The backup is verified, and brought to the schema of
 * this version, in a temporary directory. Throws an AgentStartError; the hub is empty then. Returns rows by table.
 */
export async function importIntoHub(
  backupDir: string,
  url: string,
  onTable: (table: string, rows: number) => void,
): Promise<ReadonlyMap<string, number>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-import-'));
  try {
    await restoreBackup(backupDir, dataDir);
    return await importStore(url, dataDir, onTable);
  } catch (error) {
    if (error instanceof BackupError)
      throw new AgentStartError(`${error.message}.`, 'Make a new backup with "mooring backup".', error);
    if (error instanceof UnfitDatabaseError)
      throw new AgentStartError(error.message, 'Nothing was changed. See docs/hub.md.', error);
    throw databaseNotOpened(url, error);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** It names the database without its password. */
export function databaseNotOpened(url: string, error: unknown): AgentStartError {
  const { host, pathname } = new URL(url);
  return new AgentStartError(
    `The database ${pathname.slice(1)} on ${host} cannot be opened: ${messageOf(error)}.`,
    'Check that the server runs, and the name, user and password of --database.',
    error,
  );
}
