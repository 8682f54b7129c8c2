// Folders beyond the number of threads share one, and none of them notices.
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { FolderListener } from '../../../server/disk/port/folder.ts';
import { threadsMax } from '../../../server/disk/worker/folder-threads.ts';
import { WorkerFolder } from '../../../server/disk/worker/worker-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const listener: FolderListener = {
  onHint: () => undefined,
  onWatchState: () => undefined,
  onFailure: (error) => {
    throw error;
  },
};

/** Of SQLite's kind and libuv's there are a few besides. */
const otherThreadsMax = 6;
const threadsNow = () => readdirSync('/proc/self/task').length;

async function openFolder(number: number): Promise<WorkerFolder> {
  const root = tempFolder('mooring-thread');
  writeFileSync(path.join(root, `f${number}`), `${number}`);
  const folder = new WorkerFolder(listener);
  onTestFinished(() => folder.close());
  await folder.open({ root, known: [], fileBytesMax: 1024 });
  return folder;
}

/** What it has found so far. */
async function pathsIn(folder: WorkerFolder): Promise<readonly string[]> {
  const { changes, unsettled } = await folder.scan('full');
  return [...[...changes].map((change) => change.path), ...unsettled];
}

it('twenty folders share a few threads, and each closes for itself', async ({ skip }) => {
  skip(process.platform !== 'linux', 'threads are counted in /proc');
  const before = threadsNow();
  const folders = await Promise.all(Array.from({ length: 20 }, (_, number) => openFolder(number)));
  expect(threadsNow() - before).toBeLessThanOrEqual(threadsMax + otherThreadsMax);
  expect(await Promise.all(folders.map(pathsIn))).toEqual(folders.map((_, number) => [`/f${number}`]));
  const last = folders.pop();
  await Promise.all(folders.map((folder) => folder.close()));
  expect((await last?.scan('full'))?.root).toMatchObject({});
  await expect(folders[0]?.scan('full')).rejects.toThrow('the folder is closed');
});
