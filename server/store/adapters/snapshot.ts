// One consistent view of the workspaces on a read connection of its own: later writes are not visible, and the contents that it
// names stay readable until it is closed.
import type { BlobFiles } from '../contents/blob-files.ts';
import { openForReading } from '../database/sqlite.ts';
import type { Snapshot } from '../port/store.ts';
import { findContent } from '../tables/files/files.ts';
import { snapshotPages, snapshotTotals } from './snapshot-reads.ts';

export function openSnapshot(databaseFile: string, blobs: BlobFiles): Snapshot {
  const release = blobs.holdAll();
  try {
    const statements = openForReading(databaseFile);
    statements.holdState();
    const contentOf = (hash: string) => {
      const content = findContent(statements, hash);
      if (content === null) throw new Error('the snapshot names no such content');
      return content;
    };
    return {
      files: (...about) => snapshotPages(statements, ...about),
      totals: (request) => snapshotTotals(statements, request),
      read: async (hash) => contentOf(hash).bytes ?? (await blobs.read(hash)),
      async open(hash) {
        const { bytes } = contentOf(hash);
        return bytes === null ? (await blobs.open(hash)).stream : onePiece(bytes);
      },
      close() {
        statements.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** As a stream of one piece. */
export async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
