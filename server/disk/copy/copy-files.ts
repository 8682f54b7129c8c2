// Starts the threads that copy files and compare copies, and waits for what they report.
import { Worker } from 'node:worker_threads';
import type { CompareRequest, CopyReport, CopyRequest, IgnoredChanges } from './copied-files.ts';

/** A copy holds the paths of one directory after the other, a comparison the list of all copies. */
const threadHeapMbMax = 512;

/** Copies what no mirror syncs into the folder of a run, and lists it in a file. What a former call has copied is reported and not copied again.
 * Rejects with what the disk has refused, and when the signal ends it. */
export async function copyFiles(request: CopyRequest, signal: AbortSignal): Promise<CopyReport> {
  return await inThread(new URL('./copy-thread.ts', import.meta.url), request, signal);
}

/** What changed of the copies. null: no list says what was copied. Rejects as `copyFiles` does. */
export async function compareCopies(
  request: CompareRequest,
  signal: AbortSignal,
): Promise<IgnoredChanges | null> {
  return await inThread(new URL('./compare-thread.ts', import.meta.url), request, signal);
}

async function inThread<T>(file: URL, workerData: unknown, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const worker = new Worker(file, {
    workerData,
    name: 'mooring-copy',
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMbMax },
  });
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) =>
    reject(new Error(`the thread of copies ended with code ${code} and no report`)),
  );
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', end);
    await worker.terminate();
  }
}
