// Two different edits of one path: lines of a text are merged where they do not touch; otherwise the other server's version keeps the
// path, and the local one becomes a conflict copy beside it, an ordinary file that is sent like any other (docs/sync-rules.md#14).
import { ComputeError, isOverLimit } from '../../compute/port.ts';
import { isAclPath } from '../../core/access/acl.ts';
import type { FileChange } from '../../core/change/change.ts';
import { mergeBytesMax } from '../../core/merge/three-way-merge.ts';
import { conflictCopyPath } from '../../core/sync/conflict-copy-name.ts';
import type { Conflict } from '../../core/sync/plan.ts';
import type { RemoteConflictRow } from '../../store/port/store.ts';
import { decodeText } from '../../workspaces/content-encoding.ts';
import type { RemoteVersion } from '../client/remote-server.ts';
import { readFilesMax } from '../limits.ts';
import { runSome } from '../run-some.ts';
import { changeLocal, type RemoteContext } from '../state/context.ts';
import type { Slice } from '../state/slice.ts';
import { contentOf, localContent } from '../transfer/receive-large.ts';
import { baseFileOf, received, refused, versionRead, writeOf } from './receive.ts';

/** Moves in one change. */
const movesMax = 1_000;
/** Conflicts that are merged and written at once. */
const mergesMax = 16;

export async function keepBoth(
  context: RemoteContext,
  slice: Slice,
  conflicts: readonly Conflict[],
): Promise<void> {
  const edits: Conflict[] = [];
  for (const conflict of conflicts) {
    if (context.signal.aborted) return;
    if (conflict.what === 'directory') await moveDirectoryAside(context, conflict.path);
    else if (conflict.workspaceHash === null) await moveFileAside(context, slice, conflict);
    else edits.push(conflict);
  }
  for (let start = 0; start < edits.length && !context.signal.aborted; start += readFilesMax)
    await keepVersions(context, slice, edits.slice(start, start + readFilesMax));
}

/** Each is a change of its own path, so they need no order. */
async function keepVersions(
  context: RemoteContext,
  slice: Slice,
  conflicts: readonly Conflict[],
): Promise<void> {
  const asked = conflicts.map(({ path }) => ({ path, metadata: 'unknown' as const }));
  const reads = await context.server.read(asked, context.signal);
  const works = conflicts.map((conflict, index) => async () => {
    const version = versionRead(context, conflict.path, reads[index]);
    if (version !== null) await keepVersion(context, slice, conflict, version);
  });
  await runSome(works, mergesMax);
}

async function keepVersion(
  context: RemoteContext,
  slice: Slice,
  conflict: Conflict,
  version: RemoteVersion,
): Promise<void> {
  const { path } = conflict;
  const local = slice.localAt(path);
  if (local === null) return;
  if (version.hash === local.hash) {
    context.dirty.add(path);
    return;
  }
  const merged = await mergedText(context, slice, version);
  if (merged === 'later') {
    context.dirty.add(path);
    return;
  }
  if (merged !== null) await writeMerge(context, slice, version, merged);
  else await writeBoth(context, slice, version, conflict);
}

/** null: not mergeable. `later`: no compute thread was free. */
async function mergedText(
  { workspaces, compute, signal }: RemoteContext,
  slice: Slice,
  version: RemoteVersion,
): Promise<string | 'later' | null> {
  const { path } = version;
  const local = slice.localAt(path);
  const base = slice.baseAt(path);
  // Without a known base nothing is guessed, and access rules are no text that a machine may put together.
  if (local === null || base === null || isAclPath(path)) return null;
  if (version.bytes === null) return null;
  if (Math.max(local.sizeBytes, base.sizeBytes, version.sizeBytes) > mergeBytesMax) return null;
  const [baseBytes, mineBytes] = await Promise.all([
    workspaces.readContent(base.hash),
    workspaces.readContent(local.hash),
  ]);
  if (baseBytes === null || mineBytes === null) return null;
  const [baseText, mine, theirs] = [baseBytes, mineBytes, version.bytes].map(decodeText);
  if (baseText == null || mine == null || theirs == null) return null;
  try {
    return await compute.run('merge_file', { path, base: baseText, mine, theirs }, { signal });
  } catch (error) {
    if (isOverLimit(error)) return null;
    if (error instanceof ComputeError) return 'later';
    throw error;
  }
}

/** The other server's version becomes a revision below the merge, so both inputs are in the history. */
async function writeMerge(
  context: RemoteContext,
  slice: Slice,
  version: RemoteVersion,
  merged: string,
): Promise<void> {
  const { workspaces, row, dirty } = context;
  const { path } = version;
  const local = slice.localAt(path);
  if (local === null) return;
  const bytes = new TextEncoder().encode(merged);
  const content = await contentOf(context, version);
  if (content === null) return;
  const theirs = writeOf(version, content, { kind: 'content', hash: local.hash });
  const changes: FileChange[] = [
    theirs,
    {
      ...theirs,
      precondition: { kind: 'content', hash: version.hash },
      content: await workspaces.stage(bytes),
    },
  ];
  const results = await changeLocal(context, {
    changes,
    atomic: true,
    remoteAgreement: {
      remoteId: row.remoteId,
      steps: [
        { gone: null, file: baseFileOf(version) },
        { gone: null, file: null },
      ],
      conflicts: [],
    },
  });
  const refusal = results.find((result) => !result.ok);
  if (refusal?.ok === false) return refused(context, path, refusal);
  context.atKillPoint('remote.applied');
  await received(context, version);
  // The merge is a local edit of the other server's version now.
  dirty.add(path);
}

async function writeBoth(
  context: RemoteContext,
  slice: Slice,
  version: RemoteVersion,
  conflict: Conflict,
): Promise<void> {
  const { row, workspaces, dirty } = context;
  const { path } = version;
  const local = slice.localAt(path);
  const theirs = await contentOf(context, version);
  if (theirs === null) return;
  const mine = local && (await localContent(context, local));
  if (local === null || mine === null) {
    workspaces.unstage(theirs);
    dirty.add(path);
    return;
  }
  const copyPath = await copyPathOf(context, path);
  const changes: FileChange[] = [
    {
      kind: 'write_file',
      path: copyPath,
      precondition: { kind: 'absent' },
      content: mine,
      contentType: local.contentType,
      defaultContentType: local.contentType,
      encoding: local.encoding,
      semantics: local.semantics,
    },
    writeOf(version, theirs, { kind: 'content', hash: local.hash }),
  ];
  const results = await changeLocal(context, {
    changes,
    atomic: true,
    remoteAgreement: {
      remoteId: row.remoteId,
      steps: [
        { gone: null, file: null },
        { gone: null, file: baseFileOf(version) },
      ],
      conflicts: [conflictRow(context, conflict, copyPath, version.hash)],
    },
  });
  const refusal = results.find((result) => !result.ok);
  if (refusal?.ok === false) return refused(context, path, refusal);
  context.atKillPoint('remote.applied');
  await received(context, version);
  dirty.add(copyPath);
}

/** The other server has a directory where a file is here, with an edit of its own. */
async function moveFileAside(context: RemoteContext, slice: Slice, conflict: Conflict): Promise<void> {
  const { path } = conflict;
  const local = slice.localAt(path);
  if (local === null) return;
  const copyPath = await copyPathOf(context, path);
  const results = await changeLocal(context, {
    changes: [
      { kind: 'move_file', from: path, to: copyPath, precondition: { kind: 'content', hash: local.hash } },
    ],
    atomic: true,
    remoteAgreement: {
      remoteId: context.row.remoteId,
      steps: [{ gone: path, file: null }],
      conflicts: [conflictRow(context, conflict, copyPath, null)],
    },
  });
  const [result] = results;
  if (result?.ok === false) return refused(context, path, result);
  context.dirty.add(path);
  context.dirty.add(copyPath);
}

/** The other server has a file where a directory with own files is here: the directory gets another name, as a whole. */
async function moveDirectoryAside(context: RemoteContext, directory: string): Promise<void> {
  const { workspaces, row, dirty } = context;
  const copy = await copyPathOf(context, directory);
  let after: string | null = null;
  for (;;) {
    const position: string | null = after;
    const files = await workspaces.listFiles(row.workspaceId, directory, position, movesMax);
    if (files.length === 0) return;
    const moves = files.map(({ path, hash }) => ({
      from: path,
      to: copy + path.slice(directory.length),
      hash,
    }));
    const results = await changeLocal(context, {
      changes: moves.map(({ from, to, hash }) => ({
        kind: 'move_file',
        from,
        to,
        precondition: { kind: 'content', hash },
      })),
      atomic: false,
      remoteAgreement: {
        remoteId: row.remoteId,
        steps: moves.map(({ from }) => ({ gone: from, file: null })),
        conflicts: [],
      },
    });
    for (const [index, { from, to }] of moves.entries()) {
      const result = results[index];
      if (result?.ok === false) refused(context, from, result);
      dirty.add(from);
      dirty.add(to);
    }
    after = files.at(-1)?.path ?? null;
    if (files.length < movesMax) break;
  }
  dirty.add(directory);
}

async function copyPathOf(
  { workspaces, row, clock, offsetMinutes }: RemoteContext,
  path: string,
): Promise<string> {
  const atMs = clock.nowMs();
  const taken = new Set<string>();
  for (;;) {
    const candidate = conflictCopyPath(path, { atMs, offsetMinutes: offsetMinutes(atMs) }, (name) =>
      taken.has(name),
    );
    if ((await workspaces.getEntry(row.workspaceId, candidate)) === null) return candidate;
    taken.add(candidate);
  }
}

function conflictRow(
  { ids, clock }: RemoteContext,
  { path, localHash, baseHash }: Conflict,
  copyPath: string,
  remoteHash: string | null,
): RemoteConflictRow {
  return {
    conflictId: ids.conflictId(),
    path,
    copyPath,
    localHash: localHash ?? '',
    remoteHash,
    baseHash,
    atMs: clock.nowMs(),
  };
}
