// Brings metadata here that the other server changed while the content changed here. A write of the content replaces the metadata there,
// so what is there is merged first; the write follows with the next plan.
import type { WorkspaceAction } from '../../core/sync/plan.ts';
import type { RemoteVersion } from '../client/remote-server.ts';
import { contentsOmitted, readFilesMax } from '../limits.ts';
import { changeLocal, type RemoteContext } from '../state/context.ts';
import { mergeMetadata, metadataOf, metadataText } from '../state/metadata.ts';
import type { Slice } from '../state/slice.ts';
import { localContent } from '../transfer/receive-large.ts';
import { baseFileOf, refused, rulesIn, versionRead } from './receive.ts';

/** Files that are to be written, and that have another revision there with the content that both sides agreed on. */
export function pathsToLearn(
  slice: Slice,
  groups: readonly (readonly WorkspaceAction[])[],
): readonly string[] {
  return groups.flat().flatMap(({ kind, path }) => {
    const [base, remote] = [slice.baseAt(path), slice.remoteAt(path)];
    if (kind !== 'write' || base === null || remote === null) return [];
    const hasNone = remote.metadata === 'none' && base.metadata === '';
    return remote.revision === base.remoteRevision || hasNone ? [] : [path];
  });
}

/** Every path is planned again. */
export async function learnMetadata(
  context: RemoteContext,
  slice: Slice,
  paths: readonly string[],
): Promise<void> {
  for (let start = 0; start < paths.length; start += readFilesMax) {
    const asked = paths.slice(start, start + readFilesMax);
    const reads = await context.server.read(
      asked.map((path) => ({ path, metadata: 'unknown' as const })),
      context.signal,
      contentsOmitted,
    );
    for (const [index, path] of asked.entries()) {
      const version = versionRead(context, path, reads[index]);
      if (version !== null) await learn(context, slice, version);
      context.dirty.add(path);
    }
  }
}

async function learn(context: RemoteContext, slice: Slice, version: RemoteVersion): Promise<void> {
  const { store, row, differences } = context;
  const { path, hash, revision } = version;
  const [base, local] = [slice.baseAt(path), slice.localAt(path)];
  if (base === null || local === null) return;
  if (hash !== base.hash) {
    // The content was replaced there meanwhile.
    differences.set(path, { path, revision, hash, metadata: 'unknown' }, revision);
    return;
  }
  const theirs = version.semantics ?? metadataOf(base.metadata);
  const merged = mergeMetadata(metadataOf(base.metadata), local.semantics, theirs);
  if (metadataText(merged) !== metadataText(local.semantics)) {
    const content = await localContent(context, local);
    if (content === null) return;
    const { contentType, encoding } = local;
    const [result] = await changeLocal(context, {
      changes: [
        {
          kind: 'write_file',
          path,
          precondition: { kind: 'revision', revision: `rev_${local.revision}` },
          content,
          ...{ contentType, defaultContentType: contentType, encoding, semantics: merged },
          replacesSemantics: true,
          ...(await rulesIn(context, path, local.hash)),
        },
      ],
      atomic: false,
      remoteAgreement: { remoteId: row.remoteId, steps: [{ gone: null, file: null }], conflicts: [] },
    });
    if (result?.ok === false) return refused(context, path, result);
  }
  // After the merge is stored: a base that names their metadata would make it look removed here.
  const upsert = { ...baseFileOf({ ...version, semantics: theirs }), revision: base.revision };
  await store.remotes.saveBase({ remoteId: row.remoteId, upserts: [upsert], removals: [], answered: [] });
  differences.forget(path);
}
