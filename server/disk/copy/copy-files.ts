// Starts the thread of a copy and waits for its report.
import { Worker } from 'node:worker_threads';
import type { CopyReport, CopyRequest } from './copied-files.ts';

/** It holds the paths of one directory after the other. */
const threadHeapMbMax = 512;

/** Copies what no mirror syncs into the folder of a run. What a former call has copied is reported and not copied again. Rejects with what
 * the disk has refused, and when the signal ends it. */
export async function copyFiles(request: CopyRequest, signal: AbortSignal): Promise<CopyReport> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<CopyReport>();
  const worker = new Worker(new URL('./copy-thread.ts', import.meta.url), {
    workerData: request,
    name: 'mooring-copy',
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMbMax },
  });
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the copy ended with code ${code} and no report`)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', end);
    await worker.terminate();
  }
}
