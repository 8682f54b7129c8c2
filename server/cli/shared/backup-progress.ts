// Shows how far a backup is: the size of its folder beside that of what is copied. It only reads sizes.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { WorkProgress } from './work-progress.ts';

/** What the agent copies: its database, and the contents that are files. */
const copiedNames = ['mooring.db', 'blobs'] as const;
const pollEveryMs = 500;
/** Reading sizes costs at most a tenth of the time. */
const restFactor = 9;

/** Until the returned function is called. */
export function showBackupProgress(dataDir: string, dir: string, always = false): () => void {
  const progress = new WorkProgress({ verb: 'Copying', unit: 'bytes', always });
  if (!progress.isShown) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const poll = async (total: number) => {
    const startMs = performance.now();
    const done = await sizeOf(dir);
    if (isEnded) return;
    progress.update({ done, total });
    const tookMs = performance.now() - startMs;
    timer = setTimeout(() => void poll(total), Math.max(pollEveryMs, tookMs * restFactor));
  };
  void copiedBytes(dataDir).then(poll);
  return () => {
    isEnded = true;
    clearTimeout(timer);
    progress.done();
  };
}

export async function copiedBytes(dataDir: string): Promise<number> {
  const sizes = await Promise.all(copiedNames.map((name) => sizeOf(path.join(dataDir, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Of a file, or of all files below a directory. What is gone in the meantime counts as nothing. */
async function sizeOf(file: string): Promise<number> {
  const status = await stat(file).catch(() => null);
  if (status === null) return 0;
  if (!status.isDirectory()) return status.size;
  let bytes = 0;
  for (const name of await readdir(file).catch(() => [])) bytes += await sizeOf(path.join(file, name));
  return bytes;
}
