// Whole files for the mirror: each is the very one that was seen, or not read at all.
import type { FileSystem } from '../port/file-system.ts';
import type { ReadOutcome, ReadRequest } from '../port/folder.ts';
import { fileNode, sameIdentity } from './local-tree.ts';
import { readWhole } from './read-file.ts';

/** Yields after each file. Outcomes stand in the requests' order; the caller has bounded the sizes. */
export function* readFiles(
  fs: FileSystem,
  root: string,
  requests: readonly ReadRequest[],
): Generator<undefined, readonly ReadOutcome[]> {
  const outcomes: ReadOutcome[] = [];
  for (const { path, expected } of requests) {
    const outcome = readWhole(fs, root + path, expected.sizeBytes);
    const asSeen =
      outcome.kind === 'read' &&
      outcome.hash === expected.hash &&
      sameIdentity(outcome.stat, fileNode(expected));
    outcomes.push(asSeen ? { ok: true, bytes: outcome.bytes } : { ok: false });
    yield;
  }
  return outcomes;
}
