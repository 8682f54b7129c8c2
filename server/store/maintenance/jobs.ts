// Starts a job thread and waits for its answer.
import { Worker } from 'node:worker_threads';
import type { Job, JobResult } from './job-thread.ts';

const threadYoungMbMax = 8;

/** Rejects with what the job threw. */
export function runJob(job: Job): Promise<JobResult> {
  const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
  const worker = new Worker(new URL('./job-thread.ts', import.meta.url), {
    workerData: job,
    name: `mooring-store-${job.kind}`,
    resourceLimits: { maxYoungGenerationSizeMb: threadYoungMbMax },
  });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) =>
    reject(new Error(`the ${job.kind} job ended with code ${code} and no answer`)),
  );
  return promise;
}
