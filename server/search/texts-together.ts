// Reads the texts of some files together: each would be a message to a database of another process.
import type { FileEntry } from '../core/entry.ts';
import type { ReadStatements } from '../store/database/statements.ts';
import { contentRead } from '../store/tables/files/files.ts';
import { textsTogetherBytesMax, textTogetherBytesMax } from './limits.ts';

/** Reads as `readText`: the texts of small files are read now, those of others when they are asked for. */
export function textsTogether(
  store: ReadStatements,
  files: readonly FileEntry[],
  readText: (hash: string) => string | null,
): (hash: string) => string | null {
  const hashes = smallContents(files);
  const texts = store.together(
    hashes.map(contentRead),
    () => new Map(hashes.map((hash) => [hash, readText(hash)] as const)),
  );
  return (hash) => {
    const text = texts.get(hash);
    return text === undefined ? readText(hash) : text;
  };
}

/** Hashes of contents that are read together, each once. */
export function smallContents(files: readonly FileEntry[]): readonly string[] {
  const hashes = new Set<string>();
  let bytes = 0;
  for (const { hash, sizeBytes } of files) {
    if (sizeBytes > textTogetherBytesMax || bytes + sizeBytes > textsTogetherBytesMax || hashes.has(hash))
      continue;
    hashes.add(hash);
    bytes += sizeBytes;
  }
  return [...hashes];
}
