// A file of an export's snapshot, whose content is read when a format asks for it.
import type { FileEntry } from '../core/entry.ts';

export interface ExportedFile {
  readonly entry: FileEntry;
  /** The whole content. */
  read(): Promise<Buffer>;
  /** The same in pieces, read on demand. Throws at its end when the content is corrupted. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}
