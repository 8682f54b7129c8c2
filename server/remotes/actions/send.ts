// Sends local changes to the other server: each under the revision that the base names, recorded before it is sent, and repeated with
// the same identity after a crash or a lost answer, so that it is applied once and its answer is always learned.
import type { WorkspaceAction } from '../../core/sync/plan.ts';
import type { RemoteBaseRow, RemoteSentRow } from '../../store/port/store.ts';
import type { RemoteWrite, RemoteWritten } from '../client/remote-server.ts';
import { contentsOmitted, requestsMax, sendBytesMax, sendFilesMax } from '../limits.ts';
import { runSome } from '../run-some.ts';
import type { RemoteContext } from '../state/context.ts';
import { metadataOf, metadataText } from '../state/metadata.ts';
import { sentIdentity } from '../state/sent-identity.ts';
import type { Slice } from '../state/slice.ts';
import { largeOnes, sendLarge } from '../transfer/send-large.ts';

/** `groups`: each is one change of a file and what has to be deleted before it. */
export async function send(
  context: RemoteContext,
  slice: Slice,
  groups: readonly (readonly WorkspaceAction[])[],
): Promise<void> {
  const rows = groups.flat().flatMap((action) => rowOf(context, slice, action) ?? []);
  await sendRows(context, rows);
}

/** Sends once more what has no answer yet. Nothing else may be sent or planned before. */
export async function repeatSent(context: RemoteContext): Promise<void> {
  const { store, row, dirty } = context;
  const rows = await store.remotes.listSent(row.remoteId);
  await sendRows(context, rows, true);
  // They may have changed here since, and been compared with the base of before.
  for (const { path } of rows) dirty.add(path);
}

/** Metadata that changed here, of files whose content both sides agree on. */
export async function sendMetadata(
  context: RemoteContext,
  slice: Slice,
  paths: readonly string[],
): Promise<void> {
  await sendRows(
    context,
    paths.flatMap((path) => {
      const local = slice.localAt(path);
      return local === null ? [] : [sentRow(context, slice, path, local.hash)];
    }),
  );
}

function rowOf(context: RemoteContext, slice: Slice, action: WorkspaceAction): RemoteSentRow | null {
  const { path } = action;
  if (action.kind === 'delete') return sentRow(context, slice, path, null);
  const local = slice.localAt(path);
  if (local === null) return null;
  if (local.sizeBytes > context.fileBytesMax) {
    context.problems.fail(path, {
      kind: 'too_large',
      cause: `The file has ${local.sizeBytes} bytes; the limit is ${context.fileBytesMax}.`,
      next: 'Raise --mirror-file-bytes and restart the agent.',
    });
    return null;
  }
  return sentRow(context, slice, path, local.hash);
}

function sentRow({ clock }: RemoteContext, slice: Slice, path: string, hash: string | null): RemoteSentRow {
  const local = slice.localAt(path);
  return {
    path,
    hash,
    sizeBytes: hash === null ? 0 : (local?.sizeBytes ?? 0),
    revision: local?.revision ?? 0,
    contentType: local?.contentType ?? '',
    encoding: local?.encoding ?? 'utf-8',
    metadata: hash === null || local === null ? '' : metadataText(local.semantics),
    expected: slice.remoteAt(path)?.revision ?? '',
    atMs: clock.nowMs(),
  };
}

async function sendRows(
  context: RemoteContext,
  rows: readonly RemoteSentRow[],
  areRecorded = false,
): Promise<void> {
  // Deletions first: a file may take the place of a directory.
  const deletions = rows.filter(({ hash }) => hash === null);
  const writes = rows.filter(({ hash }) => hash !== null);
  const large = new Set(await largeOnes(context, writes));
  const small = writes.filter((sent) => !large.has(sent));
  const batches = [...batchesOf(deletions), ...batchesOf(small)];
  // The revisions that they replace are those of this server and no other.
  if (batches.length > 0 && context.server.epoch === null) await context.confirm();
  for (const batch of batches) {
    if (context.signal.aborted) return;
    await record(context, batch, areRecorded);
    await conclude(context, batch, await writeBatch(context, batch));
  }
  for (const sent of large) startSending(context, sent, areRecorded);
}

/** Does not hold up what else is to be sent. */
function startSending(context: RemoteContext, sent: RemoteSentRow, isRecorded: boolean): void {
  context.transfers.start(sent.path, async () => {
    await record(context, [sent], isRecorded);
    const result = await sendLarge(context, sent, isRecorded);
    return () => conclude(context, [sent], { results: new Map([[sent.path, result]]), lost: [] });
  });
}

async function record(
  { store, row, atKillPoint }: RemoteContext,
  rows: readonly RemoteSentRow[],
  isRecorded: boolean,
): Promise<void> {
  if (!isRecorded) await store.remotes.recordSent({ remoteId: row.remoteId, rows });
  atKillPoint('remote.sent');
}

/** What the server answered. */
interface Answers {
  readonly results: ReadonlyMap<string, RemoteWritten>;
  /** Paths whose content is gone here. */
  readonly lost: readonly string[];
}

async function writeBatch(context: RemoteContext, batch: readonly RemoteSentRow[]): Promise<Answers> {
  const { server, signal } = context;
  const { sendable, lost } = await contentsOf(context, batch);
  const results = new Map<string, RemoteWritten>();
  const written = sendable.length === 0 ? [] : await server.write(sendable, signal);
  for (const [index, { path }] of sendable.entries()) results.set(path, written[index] as RemoteWritten);
  const removals = batch
    .filter(({ hash }) => hash === null)
    .map(({ path, expected }) => async () => {
      results.set(path, await server.remove(path, expected, signal));
    });
  await runSome(removals, requestsMax);
  return { results, lost };
}

async function conclude(
  context: RemoteContext,
  batch: readonly RemoteSentRow[],
  { results, lost }: Answers,
): Promise<void> {
  const { store, row, server } = context;
  const { remoteId } = row;
  // An answer of another one says nothing of this one, and ends the sending.
  if (server.epoch === null) await context.confirm();
  context.atKillPoint('remote.answered');

  const upserts: RemoteBaseRow[] = [];
  const removals: string[] = [];
  for (const sent of batch) {
    const result = results.get(sent.path);
    if (result?.kind !== 'written') continue;
    if (sent.hash === null) removals.push(sent.path);
    else upserts.push({ ...sent, hash: sent.hash, remoteRevision: result.revision });
  }
  await store.remotes.saveBase({ remoteId, upserts, removals, answered: batch.map(({ path }) => path) });
  context.atKillPoint('remote.agreed');
  await learn(context, batch, results, lost);
}

/** What the answers mean for the paths. */
async function learn(
  context: RemoteContext,
  batch: readonly RemoteSentRow[],
  results: ReadonlyMap<string, RemoteWritten>,
  lost: readonly string[],
): Promise<void> {
  const { differences, problems, progress, dirty } = context;
  const moved: string[] = [...lost];
  for (const { path, sizeBytes } of batch) {
    const result = results.get(path);
    if (result === undefined) continue;
    if (result.kind === 'written') {
      differences.settle(path, result.revision);
      problems.solve(path);
      progress.add(path, sizeBytes);
      // Changed there after the answer.
      if (differences.has(path)) dirty.add(path);
    } else if (result.kind === 'conflict') {
      moved.push(path);
    } else {
      problems.fail(path, {
        kind: result.kind === 'forbidden' ? 'no_access' : 'refused',
        cause: `The server refused it: ${result.message}.`,
        next:
          result.kind === 'forbidden'
            ? 'Use a token that may write it. The file is kept here.'
            : 'Change or move the file; Mooring retries automatically.',
      });
    }
  }
  await lookAgain(context, moved);
}

/** Reads the current state of paths from the server. */
async function lookAgain(context: RemoteContext, paths: readonly string[]): Promise<void> {
  const { differences, problems, dirty, server, signal } = context;
  if (paths.length === 0) return;
  const reads = await server.read(
    paths.map((path) => ({ path, metadata: 'unknown' as const })),
    signal,
    contentsOmitted,
  );
  for (const [index, path] of paths.entries()) {
    const read = reads[index];
    if (read?.kind === 'missing') differences.set(path, null, '');
    else if (read?.kind === 'file') {
      const { revision, hash } = read.version;
      differences.set(path, { path, revision, hash, metadata: 'unknown' }, revision);
    }
    if (problems.lostRace(path)) dirty.add(path);
    else dirty.delete(path);
  }
}

async function contentsOf(
  { workspaces, row }: RemoteContext,
  batch: readonly RemoteSentRow[],
): Promise<{ readonly sendable: readonly RemoteWrite[]; readonly lost: readonly string[] }> {
  const sendable: RemoteWrite[] = [];
  const lost: string[] = [];
  for (const sent of batch) {
    const { path, hash, expected, contentType, encoding, metadata } = sent;
    if (hash === null) continue;
    const bytes = await workspaces.readContent(hash);
    if (bytes === null) {
      // Replaced here, and beyond retention, since it was recorded: what is here now is sent instead.
      lost.push(path);
      continue;
    }
    const identity = sentIdentity(row.remoteId, sent);
    const semantics = metadataOf(metadata);
    sendable.push({ path, expected, bytes, contentType, encoding, semantics, identity });
  }
  return { sendable, lost };
}

function batchesOf(rows: readonly RemoteSentRow[]): readonly (readonly RemoteSentRow[])[] {
  const batches: RemoteSentRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= sendFilesMax || bytes + row.sizeBytes > sendBytesMax) {
      batches.push([row]);
      bytes = row.sizeBytes;
    } else {
      last.push(row);
      bytes += row.sizeBytes;
    }
  }
  return batches;
}
