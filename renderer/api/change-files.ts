// Changes of several files as one: a move or a deletion of a file or folder, staged in a fork and committed. Each can be undone.
import type { MooringClient } from '../../sdk/index.ts';
import { parentOf } from '../model/files/path.ts';
import { someAtOnce } from './some-at-once.ts';

/** Files that one change moves or deletes. */
const changedFilesMax = 1_000;
const filesPerPage = 1_000;
/** Changes that are staged at the same time: a browser opens no more connections. Larger files are moved one by one, as they pass through memory. */
const stagedAtOnce = 6;
const largeBytes = 2 * 1_048_576;
/** Changes of one file among which an undo looks for its own. */
const laterChangesMax = 100;

/** What a person acts on. */
export interface ChangedEntry {
  readonly path: string;
  readonly type: 'file' | 'dir';
}

interface Listed {
  readonly path: string;
  readonly revision: string;
  /** About: a folder lists the length in the encoding. */
  readonly bytes: number;
}

/** An entry, and the path that it gets. */
export interface Move {
  readonly entry: ChangedEntry;
  readonly to: string;
}

/** The number of files of all entries; more than the maximum cannot be changed at once. None may contain another. */
export async function countFiles(
  client: MooringClient,
  workspaceId: string,
  entries: readonly ChangedEntry[],
): Promise<number> {
  let files = 0;
  for (const entry of entries) files += (await filesOf(client, workspaceId, entry, files)).length;
  return files;
}

/**
 * Refuses to replace a file. Answers the new paths of the files. `isMoved`: only these files, as for an undo: a folder that has taken others may
 * have had files before.
 */
export async function moveEntries(
  client: MooringClient,
  workspaceId: string,
  moves: readonly Move[],
  isMoved: (path: string) => boolean = () => true,
): Promise<ReadonlySet<string>> {
  const files: { readonly from: Listed; readonly to: string }[] = [];
  for (const { entry, to } of moves)
    for (const from of await filesOf(client, workspaceId, entry, files.length, isMoved))
      files.push({ from, to: `${to}${from.path.slice(entry.path.length)}` });
  if (files.length === 0) throw new Error('The files are not there any more.');
  await asOneChange(client, workspaceId, crypto.randomUUID(), async (forkId) => {
    const stage = async ({ from: { path, revision }, to }: (typeof files)[number]): Promise<void> =>
      await client.files.stageMove(workspaceId, forkId, { from: path, revision, to });
    const isLarge = ({ from }: (typeof files)[number]): boolean => from.bytes > largeBytes;
    await someAtOnce(
      files.filter((file) => !isLarge(file)),
      stagedAtOnce,
      stage,
    );
    await someAtOnce(files.filter(isLarge), 1, stage);
  });
  return new Set(files.map(({ to }) => to));
}

/** Returns the function that undoes this change alone: it refuses where a file has changed since. */
export async function deleteEntries(
  client: MooringClient,
  workspaceId: string,
  entries: readonly ChangedEntry[],
): Promise<() => Promise<void>> {
  const files: Listed[] = [];
  for (const entry of entries) files.push(...(await filesOf(client, workspaceId, entry, files.length)));
  const [first] = files;
  if (first === undefined) return () => Promise.resolve();
  const correlationId = crypto.randomUUID();
  if (files.length === 1)
    await client.deleteFile(workspaceId, first.path, { ifMatch: first.revision, correlationId });
  else
    await asOneChange(client, workspaceId, correlationId, async (forkId) => {
      await someAtOnce(files, stagedAtOnce, async ({ path, revision }) => {
        await client.deleteFile(workspaceId, path, { forkId, ifMatch: revision });
      });
    });
  return async () => {
    const batch = await batchOf(client, workspaceId, first.path, correlationId);
    await client.history.restore(workspaceId, { batch });
  };
}

/** The batch of a request that changed the file. */
async function batchOf(
  client: MooringClient,
  workspaceId: string,
  path: string,
  correlationId: string,
): Promise<string> {
  const { entries } = await client.history.page(workspaceId, path, {
    follow: false,
    limit: laterChangesMax,
  });
  const entry = entries.find((change) => change.correlationId === correlationId);
  if (entry !== undefined) return entry.batch;
  throw new Error(`${path} has changed many times since. Restore what is missing from “Recently deleted”.`);
}

/** The path with a number before its extension: `plan (2).md`. */
export function numberedPath(path: string, number: number): string {
  const folder = parentOf(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  return `${folder === '/' ? '' : folder}/${stem} (${number})${extension}`;
}

async function filesOf(
  client: MooringClient,
  workspaceId: string,
  { path, type }: ChangedEntry,
  /** Files of the same change. */
  already: number,
  isWanted: (path: string) => boolean = () => true,
): Promise<readonly Listed[]> {
  if (type === 'file') {
    if (already >= changedFilesMax) throw tooMany();
    const { revision, size } = await client.files.stat(workspaceId, path);
    return [{ path, revision, bytes: size }];
  }
  const files: Listed[] = [];
  for await (const file of client.files.all(workspaceId, { path, limit: filesPerPage })) {
    if (isWanted(file.path)) files.push({ path: file.path, revision: file.revision, bytes: file.size ?? 0 });
    if (already + files.length > changedFilesMax) throw tooMany();
  }
  return files;
}

function tooMany(): Error {
  return new Error(
    `These are more than ${changedFilesMax} files. Change fewer at once, as those of a subfolder, or use the local folder.`,
  );
}

async function asOneChange(
  client: MooringClient,
  workspaceId: string,
  /** Of the commit. */
  correlationId: string,
  stage: (forkId: string) => Promise<void>,
): Promise<void> {
  const { forkId } = await client.forks.create(workspaceId, { proposalId: crypto.randomUUID() });
  try {
    await stage(forkId);
    await client.forks.commit(workspaceId, forkId, { correlationId });
  } catch (error) {
    // The first error is the one to show. A fork that is not discarded expires.
    await client.forks.discard(workspaceId, forkId).catch(() => undefined);
    throw error;
  }
}
