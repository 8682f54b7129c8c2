// A pool thread: runs one job after another. Only compute/pool starts it.
import { parentPort } from 'node:worker_threads';
import { type JobInput, type JobName, type JobOutput, jobs } from './jobs.ts';
import type { FromPoolThread, ToPoolThread } from './pool-messages.ts';

const port = parentPort;
if (port === null) throw new Error('compute/pool-thread runs as a worker thread only');

port.on('message', ({ name, input }: ToPoolThread) => {
  port.postMessage(answerOf(name, input));
});
port.postMessage({ kind: 'ready' } satisfies FromPoolThread);

function answerOf(name: JobName, input: JobInput<JobName>): FromPoolThread {
  try {
    const run = jobs[name].run as (input: JobInput<JobName>) => JobOutput<JobName>;
    return { kind: 'answer', ok: true, output: run(input) };
  } catch (error) {
    if (!(error instanceof Error))
      return { kind: 'answer', ok: false, message: String(error), stack: undefined };
    return { kind: 'answer', ok: false, message: error.message, stack: error.stack };
  }
}
