// Uploads of files and folders that a person has chosen or dropped: some at a time, with progress. A file never replaces another
// one unless the person says so.
import { type MooringClient, PreconditionFailedError, RevisionConflictError } from '../../sdk/index.ts';
import { numberedPath } from './change-files.ts';

/** Files of one upload. */
export const uploadedFilesMax = 5_000;
/** The agent commits writes that arrive together as one group. */
const uploadsAtOnce = 4;
/** Numbers that are tried for a name that exists. */
const numbersMax = 100;

export interface Upload {
  /** Relative to the target folder: `drafts/plan.md`. */
  readonly name: string;
  readonly file: File;
}

/** What happens to a file whose name exists. */
export type ExistingChoice = 'replace' | 'both';

export interface UploadResult {
  readonly uploaded: readonly string[];
  /** Names that exist. */
  readonly existing: readonly Upload[];
}

/** `onProgress`: after each file, with the number of files that are done. */
export async function uploadFiles(
  client: MooringClient,
  target: { readonly workspaceId: string; readonly folder: string },
  uploads: readonly Upload[],
  choice: ExistingChoice | null,
  onProgress: (done: number) => void,
): Promise<UploadResult> {
  const uploaded: string[] = [];
  const existing: Upload[] = [];
  const base = target.folder === '/' ? '' : target.folder;
  let next = 0;
  let done = 0;
  const uploadRest = async (): Promise<void> => {
    for (let upload = uploads[next]; upload !== undefined; upload = uploads[next]) {
      next += 1;
      const path = await uploadOne(client, target.workspaceId, `${base}/${upload.name}`, upload.file, choice);
      if (path === null) existing.push(upload);
      else uploaded.push(path);
      done += 1;
      onProgress(done);
    }
  };
  try {
    await Promise.all(Array.from({ length: uploadsAtOnce }, uploadRest));
  } catch (error) {
    // What runs is the last.
    next = uploads.length;
    throw error;
  }
  return { uploaded, existing };
}

/** The path of the file; null: it exists, and nothing was written. */
async function uploadOne(
  client: MooringClient,
  workspaceId: string,
  path: string,
  file: File,
  choice: ExistingChoice | null,
): Promise<string | null> {
  const contentType = file.type === '' ? {} : { contentType: file.type };
  const write = async (to: string, ifMatch: '0' | '*'): Promise<boolean> => {
    try {
      await client.files.writeRaw(workspaceId, to, file, { ifMatch, ...contentType });
      return true;
    } catch (error) {
      if (error instanceof RevisionConflictError || error instanceof PreconditionFailedError) return false;
      throw error;
    }
  };
  if (await write(path, choice === 'replace' ? '*' : '0')) return path;
  if (choice !== 'both') return null;
  for (let number = 2; number <= numbersMax; number += 1) {
    const free = numberedPath(path, number);
    if (await write(free, '0')) return free;
  }
  return null;
}

/** The files of a drop, also those in folders. */
export async function droppedFiles(data: DataTransfer): Promise<readonly Upload[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const uploads: Upload[] = [];
  // Files that do not come from a file system have no entry.
  if (entries.length === 0) return [...data.files].map((file) => ({ name: file.name, file }));
  for (const entry of entries) await collect(entry, uploads);
  return uploads;
}

async function collect(entry: FileSystemEntry, uploads: Upload[]): Promise<void> {
  if (uploads.length > uploadedFilesMax) return;
  const name = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    uploads.push({ name, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A call returns a part of the entries, and none at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return;
    for (const each of part) await collect(each, uploads);
  }
}
