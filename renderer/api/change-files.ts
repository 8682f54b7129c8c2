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

/** The number of files of an entry; more than the maximum cannot be changed at once. */
export async function countFiles(
  client: MooringClient,
  workspaceId: string,
  entry: ChangedEntry,
): Promise<number> {
  return (await filesOf(client, workspaceId, entry)).length;
}

/** Refuses to replace a file. */
export async function moveEntry(
  client: MooringClient,
  workspaceId: string,
  entry: ChangedEntry,
  to: string,
): Promise<void> {
  const files = await filesOf(client, workspaceId, entry);
  await asOneChange(client, workspaceId, async (forkId) => {
    for (const file of files) {
      const record = await client.readFile(workspaceId, file.path, { forkId });
      const content = record.encoding === 'base64' ? bytesOf(record) : record.content;
      const { contentType, semantics } = record;
      const target = `${to}${file.path.slice(entry.path.length)}`;
      await client.writeFile(workspaceId, target, content, {
        forkId,
        ifMatch: '0',
        contentType,
        ...(semantics === undefined ? {} : { semantics }),
      });
      await client.deleteFile(workspaceId, file.path, { forkId, ifMatch: file.revision });
    }
  });
}

/** Returns the function that restores what was deleted. */
export async function deleteEntry(
  client: MooringClient,
  workspaceId: string,
  entry: ChangedEntry,
): Promise<() => Promise<void>> {
  const files = await filesOf(client, workspaceId, entry);
  const [only] = files;
  if (entry.type === 'file' && only !== undefined) {
    await client.deleteFile(workspaceId, only.path, { ifMatch: only.revision });
    return async () =>
      void (await client.history.restore(workspaceId, { path: only.path, revision: only.revision }));
  }
  const before = await asOneChange(client, workspaceId, async (forkId) => {
    for (const file of files)
      await client.deleteFile(workspaceId, file.path, { forkId, ifMatch: file.revision });
  });
  return async () => void (await client.history.restore(workspaceId, { path: entry.path, revision: before }));
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
): Promise<readonly Listed[]> {
  if (type === 'file') {
    const { revision } = await client.files.stat(workspaceId, path);
    return [{ path, revision }];
  }
  const files: Listed[] = [];
  for await (const file of client.files.all(workspaceId, { path, limit: filesPerPage })) {
    files.push({ path: file.path, revision: file.revision });
    if (files.length > changedFilesMax)
      throw new Error(
        `The folder has more than ${changedFilesMax} files. Change a subfolder, or use its local folder.`,
      );
  }
  return files;
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
