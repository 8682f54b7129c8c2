// Changes of several files as one: a move or a deletion of a file or folder, staged in a fork and committed. Each can be undone.
import { bytesOf, type MooringClient } from '../../sdk/index.ts';
import { parentOf } from '../model/files/path.ts';

/** Files that one change moves or deletes. */
const changedFilesMax = 1_000;
const filesPerPage = 1_000;

/** What a person acts on. */
export interface ChangedEntry {
  readonly path: string;
  readonly type: 'file' | 'dir';
}

interface Listed {
  readonly path: string;
  readonly revision: string;
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

/** Refuses to replace a file. */
export async function moveEntries(
  client: MooringClient,
  workspaceId: string,
  moves: readonly Move[],
): Promise<void> {
  const files: { readonly from: Listed; readonly to: string }[] = [];
  for (const { entry, to } of moves)
    for (const from of await filesOf(client, workspaceId, entry, files.length))
      files.push({ from, to: `${to}${from.path.slice(entry.path.length)}` });
  await asOneChange(client, workspaceId, async (forkId) => {
    for (const { from, to } of files) {
      const record = await client.readFile(workspaceId, from.path, { forkId });
      const content = record.encoding === 'base64' ? bytesOf(record) : record.content;
      const { contentType, semantics } = record;
      await client.writeFile(workspaceId, to, content, {
        forkId,
        ifMatch: '0',
        contentType,
        ...(semantics === undefined ? {} : { semantics }),
      });
      await client.deleteFile(workspaceId, from.path, { forkId, ifMatch: from.revision });
    }
  });
}

/** Returns the function that restores what was deleted. */
export async function deleteEntries(
  client: MooringClient,
  workspaceId: string,
  entries: readonly ChangedEntry[],
): Promise<() => Promise<void>> {
  const files: Listed[] = [];
  for (const entry of entries) files.push(...(await filesOf(client, workspaceId, entry, files.length)));
  const [only] = files;
  if (entries.length === 1 && entries[0]?.type === 'file' && only !== undefined) {
    await client.deleteFile(workspaceId, only.path, { ifMatch: only.revision });
    return async () =>
      void (await client.history.restore(workspaceId, { path: only.path, revision: only.revision }));
  }
  const before = await asOneChange(client, workspaceId, async (forkId) => {
    for (const file of files)
      await client.deleteFile(workspaceId, file.path, { forkId, ifMatch: file.revision });
  });
  return async () => {
    for (const { path } of entries) await client.history.restore(workspaceId, { path, revision: before });
  };
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
): Promise<readonly Listed[]> {
  if (type === 'file') {
    if (already >= changedFilesMax) throw tooMany();
    const { revision } = await client.files.stat(workspaceId, path);
    return [{ path, revision }];
  }
  const files: Listed[] = [];
  for await (const file of client.files.all(workspaceId, { path, limit: filesPerPage })) {
    files.push({ path: file.path, revision: file.revision });
    if (already + files.length > changedFilesMax) throw tooMany();
  }
  return files;
}

function tooMany(): Error {
  return new Error(
    `These are more than ${changedFilesMax} files. Change fewer at once, as those of a subfolder, or use the local folder.`,
  );
}

/** Returns the revision of the workspace before the change. */
async function asOneChange(
  client: MooringClient,
  workspaceId: string,
  stage: (forkId: string) => Promise<void>,
): Promise<string> {
  const { forkId, parentRevision } = await client.forks.create(workspaceId, {
    proposalId: crypto.randomUUID(),
  });
  try {
    await stage(forkId);
    await client.forks.commit(workspaceId, forkId);
  } catch (error) {
    // The first error is the one to show. A fork that is not discarded expires.
    await client.forks.discard(workspaceId, forkId).catch(() => undefined);
    throw error;
  }
  return parentRevision;
}
