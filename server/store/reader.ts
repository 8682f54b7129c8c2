// Opens the store for reading in another thread: the search has one. What it needs travels as data.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sha256Hex } from '../platform/crypto/hashes.ts';
import { blobFile } from './contents/blob-files.ts';
import { MmapRelease } from './database/mmap-release.ts';
import { bytesOf } from './database/rows.ts';
import { databaseFileName, openForReading } from './database/sqlite.ts';
import type { ReadStatements } from './database/statements.ts';
import type { LinkEnd, StoreAccess } from './port/access.ts';
import { PostgresReadStatements } from './postgres/read-statements.ts';

export interface StoreReader {
  readonly statements: ReadStatements;
  /** A content that is not in a row of `blobs`. null: it is gone or corrupted. */
  largeContent(hash: string): Buffer | null;
  /** To be called after each use. */
  touched(): void;
  /** After an error. */
  recover(): void;
  close(): void;
}

export function openReader(access: StoreAccess): StoreReader {
  return access.engine === 'sqlite' ? openFile(access.dataDir) : openLink(access.link);
}

function openFile(dataDir: string): StoreReader {
  const statements = openForReading(path.join(dataDir, databaseFileName));
  const mapped = new MmapRelease(statements);
  return {
    statements,
    largeContent(hash) {
      try {
        return intact(readFileSync(blobFile(dataDir, hash)), hash);
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
    touched: () => mapped.touched(),
    recover: () => undefined,
    close: () => statements.close(),
  };
}

function openLink(link: LinkEnd): StoreReader {
  const statements = new PostgresReadStatements(link);
  return {
    statements,
    largeContent(hash) {
      const rows = statements.all<{ bytes: Buffer }>(
        'SELECT bytes FROM chunks WHERE hash = ? ORDER BY n',
        bytesOf(hash),
      );
      return intact(Buffer.concat(rows.map(({ bytes }) => bytes)), hash);
    },
    touched: () => statements.rest(),
    recover: () => statements.recover(),
    close: () => statements.close(),
  };
}

function intact(bytes: Buffer, hash: string): Buffer | null {
  return sha256Hex(bytes) === hash ? bytes : null;
}
