// The identity under which a change is sent, so that the server applies it once.
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import type { RemoteSentRow } from '../../store/port/store.ts';

/**
 * Equal for a repetition of what was recorded, and different for anything that is recorded later: the same bytes that are created again
 * after a deletion, or sent again to a server that was set back, are a new write.
 */
export function sentIdentity(
  remoteId: string,
  { path, metadata, expected, revision, atMs }: RemoteSentRow,
): string {
  const content = sha256Hex(`${path}\n${metadata}`);
  return `${remoteId}:${content}:${expected}:${revision}:${atMs}`;
}
