// Detects what something other than Mooring lost or changed: a failing disk, a tool that removed a file, a copy of one file instead
// of all. Reads only.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { blobFile, blobFolder, fileSize } from '../contents/blob-files.ts';
import { databaseFileName, storeFaultOf } from '../database/sqlite.ts';

/** Thrown instead of starting with an empty store or using corrupt data. Nothing was changed. */
export class CorruptStoreError extends Error {
  override readonly name = 'DamagedStoreError';
}

/**
 * A new database beside the contents or log of another one would look like a first start, and retention would delete those contents
 * as unreferenced.
 */
export function assertDatabaseIsThere(dataDir: string): void {
  const database = path.join(dataDir, databaseFileName);
  if ((fileSize(database) ?? 0) > 0) return;
  const left = [
    ...((fileSize(`${database}-wal`) ?? 0) > 0 ? [`${databaseFileName}-wal`] : []),
    ...(hasContents(dataDir) ? ['blobs'] : []),
  ];
  if (left.length === 0) return;
  throw new CorruptStoreError(
    `${database} is gone or empty, and what belongs to it is still there (${left.join(', ')})`,
  );
}

function hasContents(dataDir: string): boolean {
  if (fileSize(blobFolder(dataDir)) === null) return false;
  return readdirSync(blobFolder(dataDir), { recursive: true, encoding: 'utf8' }).some((name) =>
    /^[0-9a-f]{64}$/.test(path.basename(name)),
  );
}

/** SQLite's errors about a malformed file become a CorruptStoreError; all others are rethrown. */
export function withCorruptionCheck<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (!isCorruption(error)) throw error;
    throw new CorruptStoreError(`${file} is corrupted: ${(error as Error).message}`, { cause: error });
  }
}

export function isCorruption(error: unknown): boolean {
  return storeFaultOf(error) === 'corrupted';
}

export interface NamedFile {
  readonly hash: string;
  readonly size: number;
}

/** Contents whose files are missing or have another size: detectable without reading them. */
export function findMissingFiles(dataDir: string, files: readonly NamedFile[]): readonly string[] {
  return files.flatMap(({ hash, size }) => {
    const found = fileSize(blobFile(dataDir, hash));
    if (found === size) return [];
    return [
      found === null
        ? `the file of content ${hash} is missing`
        : `the file of content ${hash} has ${found} bytes instead of ${size}`,
    ];
  });
}
