// Reads contents of the store as text, in the thread of the search.
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { sha256Hex } from '../platform/crypto/hashes.ts';
import { blobFile } from '../store/contents/blob-files.ts';
import type { ReadStatements } from '../store/database/statements.ts';
import { CorruptContentError } from '../store/port/errors.ts';
import { findContent } from '../store/tables/files/files.ts';

/** null: the content is not UTF-8 text, or it is gone or corrupted; a read of the file reports that. */
export function storedText(store: ReadStatements, dataDir: string, hash: string): string | null {
  const bytes = storedBytes(store, dataDir, hash);
  if (bytes === null || bytes.includes(0) || !isUtf8(bytes)) return null;
  return bytes.toString('utf8');
}

function storedBytes(store: ReadStatements, dataDir: string, hash: string): Buffer | null {
  try {
    const content = findContent(store, hash);
    if (content === null) return null;
    if (content.bytes !== null)
      return Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
    const bytes = readFileSync(blobFile(dataDir, hash));
    return sha256Hex(bytes) === hash ? bytes : null;
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isGone || error instanceof CorruptContentError) return null;
    throw error;
  }
}
