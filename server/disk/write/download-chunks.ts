// A temporary file that comes in pieces: one request for each, and nothing stays open between two of them, so that a mirror that
// stops in the middle leaves nothing but a name that its journal knows.
import { parentOf } from '../../core/paths/path.ts';
import type { FileChunk, OperationOutcome } from '../port/folder.ts';
import { TempFiles } from './download-files.ts';
import { asRefusal, type Refused } from './refusals.ts';
import type { WritePreconditions } from './write-preconditions.ts';

/** `unsynced`: directories whose names are not durable. */
export function appendChunk(
  ground: WritePreconditions,
  piece: FileChunk,
): { readonly outcome: OperationOutcome; readonly unsynced: readonly string[] } {
  const temps = new TempFiles(ground);
  let refusal = asRefusal<Refused | null>(() => temps.add(piece));
  if (refusal !== null) temps.discard(piece);
  let failed = ground.syncDirectories();
  if (refusal === null && failed.size > 0) {
    [refusal = null] = failed.values();
    temps.discard(piece);
    failed = ground.syncDirectories();
  }
  if (refusal === null) return { outcome: { ok: true, file: null }, unsynced: [] };
  const unfinished = failed.size + temps.leftovers.size > 0;
  return { outcome: unfinished ? { ...refusal, unfinished } : refusal, unsynced: [...failed.keys()] };
}

/** false: it may still be there. */
export function discardChunks(ground: WritePreconditions, path: string, tempName: string): boolean {
  const temps = new TempFiles(ground);
  if (ground.checkDirectory(parentOf(path) ?? '/') !== null) return false;
  temps.discard({ path, tempName });
  return ground.syncDirectories().size + temps.leftovers.size === 0;
}
