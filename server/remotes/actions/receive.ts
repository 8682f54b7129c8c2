// Writes what the other server has into the local workspace, and deletes what it deleted. Each change has the planned state as its
// precondition, and the base is recorded in the same transaction.
import { isAclPath } from '../../core/access/acl.ts';
import type { Content, Precondition, Refusal, WriteFile } from '../../core/change/change.ts';
import type { LocalAction, PutLocal, RemoveLocal } from '../../core/sync/plan.ts';
import type { RemoteBaseFile } from '../../store/port/store.ts';
import { decodeText } from '../../workspaces/content-encoding.ts';
import { contentTypeOf } from '../../workspaces/content-type.ts';
import type { RemoteRead, RemoteVersion } from '../client/remote-server.ts';
import { readFilesMax } from '../limits.ts';
import { changeLocal, type RemoteContext } from '../state/context.ts';
import { mergeMetadata, metadataOf, metadataText } from '../state/metadata.ts';
import type { Slice } from '../state/slice.ts';
import { contentOf, dropPart } from '../transfer/receive-large.ts';

export async function receive(
  context: RemoteContext,
  slice: Slice,
  actions: readonly LocalAction[],
): Promise<void> {
  const removals = actions.filter((action): action is RemoveLocal => action.kind === 'remove');
  const puts = actions.filter((action): action is PutLocal => action.kind === 'put');
  await remove(context, removals);
  for (let start = 0; start < puts.length && !context.signal.aborted; start += readFilesMax)
    await fetchAndWrite(context, slice, puts.slice(start, start + readFilesMax));
}

async function remove(context: RemoteContext, removals: readonly RemoveLocal[]): Promise<void> {
  if (removals.length === 0) return;
  const results = await changeLocal(context, {
    changes: removals.map(({ path, expected }) => ({
      kind: 'delete_file',
      path,
      precondition: { kind: 'content', hash: expected },
    })),
    atomic: false,
    remoteAgreement: {
      remoteId: context.row.remoteId,
      steps: removals.map(({ path }) => ({ gone: path, file: null })),
      conflicts: [],
    },
  });
  context.atKillPoint('remote.applied');
  for (const [index, { path }] of removals.entries()) {
    const result = results[index];
    if (result?.ok === true) agreed(context, path);
    else if (result?.ok === false) refused(context, path, result);
  }
}

async function fetchAndWrite(context: RemoteContext, slice: Slice, puts: readonly PutLocal[]): Promise<void> {
  const files = puts.map(({ path }) => ({
    path,
    metadata: slice.remoteAt(path)?.metadata ?? ('unknown' as const),
  }));
  const reads = await context.server.read(files, context.signal);
  context.atKillPoint('remote.fetched');
  const ready = await Promise.all(
    puts.map(async (put, index) => {
      const version = versionRead(context, put.path, reads[index]);
      const content = version && (await contentOf(context, version));
      return version === null || content === null ? null : { put, version, content };
    }),
  );
  const fetched = ready.filter((file) => file !== null);
  if (fetched.length === 0) return;
  const changes = fetched.map(({ put, version, content }) => {
    const precondition: Precondition =
      put.expected === null ? { kind: 'absent' } : { kind: 'content', hash: put.expected };
    return writeOf(withMergedMetadata(slice, version), content, precondition);
  });
  const results = await changeLocal(context, {
    changes,
    atomic: false,
    remoteAgreement: {
      remoteId: context.row.remoteId,
      steps: fetched.map(({ version }) => ({ gone: null, file: baseFileOf(version) })),
      conflicts: [],
    },
  });
  context.atKillPoint('remote.applied');
  for (const [index, { version }] of fetched.entries()) {
    const result = results[index];
    if (result?.ok === true) await received(context, version);
    else if (result?.ok === false) refused(context, version.path, result);
  }
}

/** The version that was read; null: there is none to write, and the path is decided on again or listed. */
export function versionRead(
  context: RemoteContext,
  path: string,
  read: RemoteRead | undefined,
): RemoteVersion | null {
  const { differences, dirty, problems, fileBytesMax } = context;
  switch (read?.kind) {
    case undefined:
      return null;
    case 'missing':
      // Deleted since it was listed.
      differences.set(path, null, '');
      dirty.add(path);
      return null;
    case 'forbidden':
      problems.fail(path, {
        kind: 'no_access',
        cause: 'The token may not read this file on the server any more.',
        next: 'The file is kept here and not synced. Use a token that may read it.',
      });
      return null;
    case 'failed':
      problems.fail(path, {
        kind: 'read_failed',
        cause: `The server did not return the file: ${read.message}.`,
        next: 'No action needed; Mooring retries automatically.',
      });
      return null;
    case 'file': {
      const { version } = read;
      if (version.sizeBytes > fileBytesMax) {
        problems.fail(path, {
          kind: 'too_large',
          cause: `The file has ${version.sizeBytes} bytes; the limit is ${fileBytesMax}.`,
          next: 'Raise --mirror-file-bytes and restart the agent.',
        });
        return null;
      }
      const { revision, hash, semantics } = version;
      // Newer than what was listed, and read without its metadata: it is read again, with it.
      const isUnknown = semantics === null && differences.fileAt(path, null)?.revision !== revision;
      const isPlain = semantics === null || metadataText(semantics) === '';
      const metadata = isUnknown ? 'unknown' : isPlain ? 'none' : 'some';
      differences.set(path, { path, revision, hash, metadata }, revision);
      if (isUnknown) dirty.add(path);
      return isUnknown ? null : version;
    }
  }
}

/** Metadata that changed here is kept over the new content; it is sent with the next plan. */
function withMergedMetadata(slice: Slice, version: RemoteVersion): RemoteVersion {
  const local = slice.localAt(version.path);
  const base = slice.baseAt(version.path);
  if (local === null || base === null) return version;
  const semantics = mergeMetadata(metadataOf(base.metadata), local.semantics, version.semantics ?? {});
  return { ...version, semantics };
}

export function writeOf(version: RemoteVersion, content: Content, precondition: Precondition): WriteFile {
  const { path, bytes, contentType, encoding, semantics } = version;
  const text = isAclPath(path) && bytes !== null ? decodeText(bytes) : null;
  return {
    kind: 'write_file',
    path,
    precondition,
    content,
    defaultContentType: contentTypeOf(path, encoding !== 'base64'),
    encoding,
    ...(contentType === '' ? {} : { contentType }),
    semantics: semantics ?? {},
    replacesSemantics: true,
    ...(text === null ? {} : { aclText: text }),
  };
}

/** The rules in a content of the workspace, where the path is that of rules: a write of them names them. */
export async function rulesIn(
  { workspaces }: RemoteContext,
  path: string,
  hash: string,
): Promise<Pick<WriteFile, 'aclText'>> {
  const bytes = isAclPath(path) ? await workspaces.readContent(hash) : null;
  const text = bytes && decodeText(bytes);
  return text === null ? {} : { aclText: text };
}

export function baseFileOf({ path, hash, sizeBytes, revision, semantics }: RemoteVersion): RemoteBaseFile {
  return {
    path,
    hash,
    sizeBytes,
    remoteRevision: revision,
    metadata: metadataText(semantics ?? {}),
  };
}

/** The version is in the workspace and in the base. */
export async function received(context: RemoteContext, version: RemoteVersion): Promise<void> {
  agreed(context, version.path, version.sizeBytes);
  await dropPart(context, version);
}

/** Both sides and the base are equal. `bytes`: that were received for it. */
export function agreed({ differences, problems, progress }: RemoteContext, path: string, bytes = 0): void {
  differences.forget(path);
  problems.solve(path);
  progress.add(path, bytes);
}

/** The local workspace did not take it. */
export function refused({ dirty, problems }: RemoteContext, path: string, refusal: Refusal): void {
  switch (refusal.code) {
    case 'revision_conflict':
    case 'not_found':
    case 'not_applied':
      // Changed here meanwhile: it is decided on again.
      if (problems.lostRace(path)) dirty.add(path);
      return;
    case 'forbidden':
    case 'invalid_path':
    case 'invalid_content':
    case 'path_conflict':
      problems.fail(path, {
        kind: 'held',
        cause: `This workspace does not store it: ${refusal.message}.`,
        next: 'The file stays on the server. Rename it there.',
      });
      return;
    case 'workspace_not_found':
      throw new Error('the workspace is deleted');
  }
}
