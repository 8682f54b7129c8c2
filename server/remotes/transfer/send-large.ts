// Sends a large file as a stream of bare bytes. Such a body carries no metadata, so files that have some are sent as text, as are all
// files to servers that take no bare bytes.
import type { RemoteSentRow } from '../../store/port/store.ts';
import type { RemoteWritten } from '../client/remote-server.ts';
import { contentsOmitted } from '../limits.ts';
import type { RemoteContext } from '../state/context.ts';
import { metadataText } from '../state/metadata.ts';
import { sentIdentity } from '../state/sent-identity.ts';

/** Those that are sent as a stream. */
export async function largeOnes(
  { store, row, kind, server, wholeBytesMax }: RemoteContext,
  rows: readonly RemoteSentRow[],
): Promise<readonly RemoteSentRow[]> {
  // Without an epoch another server could take the place of this one while the bytes move.
  if (kind !== 'mooring' || server.epoch === null) return [];
  const large = rows.filter(({ sizeBytes, metadata }) => sizeBytes > wholeBytesMax && metadata === '');
  if (large.length === 0) return [];
  const base = await store.remotes.baseOf(
    row.remoteId,
    large.map(({ path }) => path),
  );
  const plain = new Map(
    base.flatMap(({ path, metadata, remoteRevision }) => (metadata === '' ? [[path, remoteRevision]] : [])),
  );
  // What the base does not know of there may have metadata, which such a body would leave.
  return large.filter(({ path, expected }) => expected === '' || plain.get(path) === expected);
}

/** `isRepeat`: it was sent before, and its answer was lost. */
export async function sendLarge(
  context: RemoteContext,
  sent: RemoteSentRow,
  isRepeat: boolean,
): Promise<RemoteWritten> {
  const { server, workspaces, progress, row, signal } = context;
  const { path, hash, sizeBytes, expected, contentType, encoding } = sent;
  if (hash === null) throw new Error('a deletion has no content');
  const there = isRepeat ? await standingAt(context, path, hash) : null;
  if (there !== null) return { kind: 'written', revision: there };
  const open = async () => {
    const content = await workspaces.openContent(hash);
    if (content === null) return null;
    const onMoved = (bytes: number) => progress.moved(path, bytes, sizeBytes);
    return counted(content.stream, onMoved);
  };
  const identity = sentIdentity(row.remoteId, sent);
  return await server.writeLarge(
    { path, expected, contentType, encoding, identity, sizeBytes, open },
    signal,
  );
}

/** The revision of the server's file where it has these bytes already, and no metadata, so that they are not sent again; null: otherwise. */
async function standingAt(
  { server, signal }: RemoteContext,
  path: string,
  hash: string,
): Promise<string | null> {
  const [read] = await server.read([{ path, metadata: 'unknown' }], signal, contentsOmitted);
  if (read?.kind !== 'file' || read.version.hash !== hash) return null;
  // Metadata that it has got since is a change of its own.
  return metadataText(read.version.semantics ?? {}) === '' ? read.version.revision : null;
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  onMoved: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    yield chunk;
    bytes += chunk.length;
    onMoved(bytes);
  }
}
