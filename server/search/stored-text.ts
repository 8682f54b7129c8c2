// Reads contents of the store as text, in the thread of the search.
import { isUtf8 } from 'node:buffer';
import { CorruptContentError } from '../store/port/errors.ts';
import type { StoreReader } from '../store/reader.ts';
import { findContent } from '../store/tables/files/files.ts';

/** null: the content is not UTF-8 text, or it is gone or corrupted; a read of the file reports that. */
export function storedText(store: StoreReader, hash: string): string | null {
  const bytes = storedBytes(store, hash);
  if (bytes === null || bytes.includes(0) || !isUtf8(bytes)) return null;
  return bytes.toString('utf8');
}

function storedBytes(store: StoreReader, hash: string): Buffer | null {
  try {
    const content = findContent(store.statements, hash);
    if (content === null) return null;
    if (content.bytes === null) return store.largeContent(hash);
    return Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
  } catch (error) {
    if (error instanceof CorruptContentError) return null;
    throw error;
  }
}
