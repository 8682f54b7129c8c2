// Records that both sides have the same content, and brings their metadata together: what the other server changed comes here, what
// changed here is sent with the next plan.
import type { BaseAction } from '../../core/sync/plan.ts';
import type { RemoteBaseRow } from '../../store/port/store.ts';
import type { RemoteVersion } from '../client/remote-server.ts';
import { contentsOmitted } from '../limits.ts';
import { changeLocal, type RemoteContext } from '../state/context.ts';
import { mergeMetadata, metadataOf, metadataText } from '../state/metadata.ts';
import type { Slice } from '../state/slice.ts';
import { localContent } from '../transfer/receive-large.ts';
import { agreed, baseFileOf, refused, rulesIn, versionRead, writeOf } from './receive.ts';

export async function agree(
  context: RemoteContext,
  slice: Slice,
  actions: readonly BaseAction[],
): Promise<void> {
  const { store, row } = context;
  const removals = actions.flatMap(({ path, hash }) => (hash === null ? [path] : []));
  const upserts: RemoteBaseRow[] = [];
  const withMetadata: string[] = [];
  for (const { path, hash } of actions) {
    const local = slice.localAt(path);
    const remote = slice.remoteAt(path);
    if (hash === null || local === null || remote === null) continue;
    const isPlain = remote.metadata === 'none' && metadataText(local.semantics) === '';
    if (!isPlain && remote.revision !== slice.baseAt(path)?.remoteRevision) withMetadata.push(path);
    else
      upserts.push({
        path,
        hash,
        sizeBytes: local.sizeBytes,
        revision: local.revision,
        remoteRevision: remote.revision,
        metadata: slice.baseAt(path)?.metadata ?? '',
      });
  }
  if (removals.length + upserts.length > 0)
    await store.remotes.saveBase({ remoteId: row.remoteId, upserts, removals, answered: [] });
  for (const path of [...removals, ...upserts.map(({ path }) => path)]) agreed(context, path);
  await agreeOnMetadata(context, slice, withMetadata);
}

/** Files whose content is agreed on, and whose metadata here is not what the base says. */
export function changedMetadata(slice: Slice, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const local = slice.localAt(path);
    const base = slice.baseAt(path);
    const remote = slice.remoteAt(path);
    return (
      local !== null &&
      base !== null &&
      local.hash === base.hash &&
      remote?.revision === base.remoteRevision &&
      metadataText(local.semantics) !== base.metadata
    );
  });
}

async function agreeOnMetadata(
  context: RemoteContext,
  slice: Slice,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const reads = await context.server.read(
    paths.map((path) => ({ path, metadata: 'unknown' as const })),
    context.signal,
    contentsOmitted,
  );
  for (const [index, path] of paths.entries()) {
    const version = versionRead(context, path, reads[index]);
    if (version !== null) await agreeOn(context, slice, version);
  }
}

async function agreeOn(context: RemoteContext, slice: Slice, version: RemoteVersion): Promise<void> {
  const { store, row, dirty } = context;
  const { path, hash } = version;
  const local = slice.localAt(path);
  if (local === null || local.hash !== hash) {
    dirty.add(path);
    return;
  }
  const theirs = version.semantics ?? {};
  const merged = mergeMetadata(metadataOf(slice.baseAt(path)?.metadata ?? ''), local.semantics, theirs);
  if (metadataText(merged) === metadataText(local.semantics)) {
    const upsert = { ...baseFileOf(version), revision: local.revision };
    await store.remotes.saveBase({ remoteId: row.remoteId, upserts: [upsert], removals: [], answered: [] });
    agreed(context, path);
  } else {
    const content = await localContent(context, local);
    if (content === null) {
      dirty.add(path);
      return;
    }
    const expected = { kind: 'revision', revision: `rev_${local.revision}` } as const;
    const change = {
      ...writeOf({ ...version, semantics: merged }, content, expected),
      ...(await rulesIn(context, path, local.hash)),
    };
    const [result] = await changeLocal(context, {
      changes: [change],
      atomic: false,
      remoteAgreement: {
        remoteId: row.remoteId,
        steps: [{ gone: null, file: baseFileOf(version) }],
        conflicts: [],
      },
    });
    if (result?.ok === true) agreed(context, path);
    else if (result?.ok === false) refused(context, path, result);
  }
  // What changed here only is sent.
  if (metadataText(merged) !== metadataText(theirs)) dirty.add(path);
}
