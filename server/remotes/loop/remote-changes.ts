// What changed on the other server: a list of everything where nothing is known, afterwards its events. A list is the truth and an event
// a hint with a revision; both only mark paths (ARCHITECTURE.md#five-invariants).

import type { RemoteBaseRow } from '../../store/port/remotes.ts';
import { numberOf } from '../client/answers.ts';
import type { RemoteEvent, RemoteFile } from '../client/remote-server.ts';
import { contentsOmitted, readFilesMax } from '../limits.ts';
import type { RemoteContext } from '../state/context.ts';
import { type AgreedRevisions, otherBytes, RemoteResetError } from './agreed-revisions.ts';

const basePageRows = 1_000;

/** Marks everything that the server has other than the base, or does not have any more. Returns the number of listed files. */
export async function listRemote(
  context: RemoteContext,
  agreed: AgreedRevisions,
  onProgress: (files: number) => void,
): Promise<number> {
  const { server, row, covers, signal } = context;
  const listed = new Set<string>();
  for await (const page of server.list(row.rootPath, signal)) {
    signal.throwIfAborted();
    const files = page.filter(({ path }) => covers(path));
    await takeListed(context, agreed, files);
    for (const { path } of files) listed.add(path);
    onProgress(listed.size);
  }
  await askForMissing(context, agreed, listed);
  return listed.size;
}

async function takeListed(
  { store, row, differences, dirty }: RemoteContext,
  revisions: AgreedRevisions,
  files: readonly RemoteFile[],
): Promise<void> {
  const rows = await store.remotes.baseOf(
    row.remoteId,
    files.map(({ path }) => path),
  );
  await revisions.confirm(rows);
  const base = new Map(rows.map((entry) => [entry.path, entry]));
  const unnamed: RemoteBaseRow[] = [];
  for (const file of files) {
    const agreed = base.get(file.path);
    if (agreed?.remoteRevision === file.revision) {
      if (file.hash === null) unnamed.push(agreed);
      else if (file.hash !== agreed.hash) throw otherBytes();
      differences.forget(file.path);
      continue;
    }
    const [now, then] = [file.revision, agreed?.remoteRevision ?? ''].map((id) => numberOf(id, 'rev_'));
    if (now != null && then != null && now < then)
      throw new RemoteResetError('the server has an older revision than before');
    differences.set(file.path, file, file.revision);
    dirty.add(file.path);
  }
  await revisions.compare(unnamed);
}

/** A path that is not listed and has no event yet is asked for: only an answer is a deletion. */
async function askForMissing(
  context: RemoteContext,
  agreed: AgreedRevisions,
  listed: ReadonlySet<string>,
): Promise<void> {
  const { store, row, covers, server, differences, dirty, problems, signal } = context;
  let after = '';
  for (;;) {
    const page = await store.remotes.listBase(row.remoteId, after, basePageRows);
    const unlisted = page.filter(({ path }) => !listed.has(path) && covers(path));
    await agreed.confirm(unlisted);
    const missing = unlisted.map(({ path }) => path);
    for (let start = 0; start < missing.length; start += readFilesMax) {
      const paths = missing.slice(start, start + readFilesMax);
      const reads = await server.read(
        paths.map((path) => ({ path, metadata: 'none' as const })),
        signal,
        contentsOmitted,
      );
      for (const [index, path] of paths.entries()) {
        const read = reads[index];
        if (read?.kind === 'missing') {
          differences.set(path, null, '');
          dirty.add(path);
        } else if (read?.kind === 'file') {
          const { revision, hash } = read.version;
          differences.set(path, { path, revision, hash, metadata: 'unknown' }, revision);
          dirty.add(path);
        } else if (read?.kind === 'forbidden') {
          problems.fail(path, {
            kind: 'no_access',
            cause: 'The token may not read this file on the server any more.',
            next: 'The file is kept here and not synced. Use a token that may read it.',
          });
        }
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < basePageRows) return;
    after = last.path;
  }
}

/** Marks what events say, in their order. */
export async function takeEvents(context: RemoteContext, events: readonly RemoteEvent[]): Promise<void> {
  const { store, row, covers, differences, dirty } = context;
  const changes = events.filter(({ type, path }) => type.startsWith('file.') && covers(path));
  if (changes.length === 0) return;
  const paths = [...new Set(changes.map(({ path }) => path))];
  const base = new Map((await store.remotes.baseOf(row.remoteId, paths)).map((entry) => [entry.path, entry]));
  for (const { type, path, revision, hash } of changes) {
    if (differences.knows(path, revision, base.get(path) ?? null)) continue;
    const file: RemoteFile | null =
      type === 'file.deleted' ? null : { path, revision, hash, metadata: 'unknown' };
    differences.set(path, file, revision);
    dirty.add(path);
  }
}

/** Reads files whose content the server did not name. */
export async function readUnknown(context: RemoteContext, paths: readonly string[]): Promise<void> {
  const { server, differences, dirty, signal } = context;
  const unknown = paths.filter((path) => differences.fileAt(path, null)?.hash === null);
  for (let start = 0; start < unknown.length; start += readFilesMax) {
    const asked = unknown.slice(start, start + readFilesMax);
    const reads = await server.read(
      asked.map((path) => ({ path, metadata: 'unknown' as const })),
      signal,
      contentsOmitted,
    );
    for (const [index, path] of asked.entries()) {
      const read = reads[index];
      if (read?.kind === 'missing') differences.set(path, null, '');
      else if (read?.kind === 'file') {
        const { revision, hash } = read.version;
        differences.set(path, { path, revision, hash, metadata: 'unknown' }, revision);
      } else dirty.add(path);
    }
  }
}
