// What of the store was lost or changed by something else than Mooring: a failing disk, a tool that removed a file, a copy of
// one file where all of them were meant. It only looks, and finds words.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { blobFile, blobFolder, fileSize } from '../contents/blob-files.ts';
import { databaseFileName, storeFaultOf } from '../database/sqlite.ts';

/** Thrown instead of beginning anew, or of going on with what cannot be read. Nothing was changed. */
export class CorruptStoreError extends Error {
  override readonly name = 'DamagedStoreError';
}

/**
 * A new database beside contents or a log of another one would look like a first start, and everything that belonged to the one
 * that is gone would be let go as if nobody named it.
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

/** What SQLite says of a file that is none of its own any more becomes a CorruptStoreError; everything else is thrown as it is. */
export function withCorruptionCheck<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (!isCorruption(error)) throw error;
    throw new CorruptStoreError(`${file} is damaged: ${(error as Error).message}`, { cause: error });
  }
}

export function isCorruption(error: unknown): boolean {
  return storeFaultOf(error) === 'damaged';
}

export interface NamedFile {
  readonly hash: string;
  readonly size: number;
}

/** Contents whose files are gone or have another size: what can be seen without reading them. */
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
