// One consistent view of the workspaces of a hub, in a thread with a connection of its own.
import { onePiece } from '../adapters/snapshot.ts';
import type { Snapshot } from '../port/store.ts';
import type { ContentChunks } from './content-chunks.ts';
import type { Link } from './link.ts';
import { Reader } from './read-pool.ts';

export async function openHubSnapshot(link: Link, blobs: ContentChunks): Promise<Snapshot> {
  const reader = new Reader(link);
  const contentOf = async (hash: string) => {
    const content = (await reader.read('files', 'content', [hash])) as { bytes: Uint8Array | null } | null;
    if (content === null) throw new Error('the snapshot names no such content');
    return content.bytes;
  };
  try {
    await reader.hold();
  } catch (error) {
    await reader.close();
    throw error;
  }
  return {
    files: (...about) => reader.pages(...about),
    totals: (request) => reader.read('snapshot', 'totals', [request]) as ReturnType<Snapshot['totals']>,
    read: async (hash) => (await contentOf(hash)) ?? (await blobs.read(hash)),
    async open(hash) {
      const bytes = await contentOf(hash);
      return bytes === null ? (await blobs.open(hash)).stream : onePiece(bytes);
    },
    close: () => void reader.close(),
  };
}
