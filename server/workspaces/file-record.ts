// A file as the API returns it: its stored bytes in the encoding in which they were written.
import type { FileRecord } from '../contract/files.ts';
import { type FileEntry, revisionName } from '../core/entry.ts';
import { aroundContent, jsonWithContent } from '../platform/json/content-json.ts';
import type { ContentReader } from '../store/port/store.ts';

export { revisionName };

/** The content as a string: base64 for files that were written as base64, else UTF-8 text. */
export function wireContent(entry: Pick<FileEntry, 'encoding'>, bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    entry.encoding === 'base64' ? 'base64' : 'utf8',
  );
}

/** The same for stored content; null when it cannot be read. */
export async function readEncoded(
  files: Pick<ContentReader, 'read' | 'readText'>,
  { hash, encoding }: Pick<FileEntry, 'hash' | 'encoding'>,
): Promise<string | null> {
  if (encoding === 'utf-8') return await files.readText(hash);
  const bytes = await files.read(hash);
  return bytes === null ? null : wireContent({ encoding }, bytes);
}

/** Length of that string in bytes, without creating it. */
export function wireSize(entry: Pick<FileEntry, 'encoding' | 'sizeBytes'>): number {
  return entry.encoding === 'base64' ? 4 * Math.ceil(entry.sizeBytes / 3) : entry.sizeBytes;
}

export function wireRevision(revision: number): string {
  return `rev_${revision}`;
}

export function wireTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** `content` has the encoding of the entry. */
export function fileRecord(entry: FileEntry, content: string): FileRecord {
  return {
    path: entry.path,
    revision: revisionName(entry),
    contentHash: entry.hash,
    contentType: entry.contentType,
    content,
    ...(entry.encoding === 'base64' ? { encoding: 'base64' as const } : {}),
    provider: entry.provider,
    ...(entry.providerObjectId === null ? {} : { providerObjectId: entry.providerObjectId }),
    lastEditedAt: wireTime(entry.editedAtMs),
    semantics: entry.semantics,
  };
}

/** Equal to `JSON.stringify(fileRecord(entry, content))`, in pieces. An error of `bytes` ends it. */
export function fileRecordPieces(
  entry: FileEntry,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  return jsonWithContent(aroundContent(JSON.stringify(fileRecord(entry, ''))), entry.encoding, bytes);
}
