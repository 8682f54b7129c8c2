// The threads of mirrored folders: one per folder up to a limit, then shared, as each thread costs ten megabytes and wakes up
// periodically. A thread ends with its last folder.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { processors } from '../../platform/process/processors.ts';
import type { ThreadMessage } from './worker-messages.ts';

/** A folder of 100,000 files keeps a processor busy for seconds now and then; more threads than these share the processors anyway. */
export const threadsMax = Math.min(8, 2 * processors);
/** A thread holds one observation per file and a few file buffers; what is beyond this is a leak. */
const threadHeapMbMax = 2048;
/** What it makes is mostly short-lived; a larger nursery only stays resident. */
const threadYoungMbMax = 4;

interface Thread {
  readonly worker: Worker;
  /** One callback per folder in it, called when it dies. */
  readonly folders: Set<(error: Error) => void>;
}

export interface FolderThread {
  /** To the folder's own end in the thread. */
  readonly port: MessagePort;
  /** The folder is closed there. */
  release(): Promise<void>;
}

const threads = new Set<Thread>();

/** `onFailure` is called once when the thread dies before the release. */
export function takeThread(onFailure: (error: Error) => void): FolderThread {
  const thread = threads.size < threadsMax ? startThread() : leastUsed();
  thread.folders.add(onFailure);
  const { port1, port2 } = new MessageChannel();
  thread.worker.postMessage({ port: port2 } satisfies ThreadMessage, [port2]);
  return {
    port: port1,
    async release() {
      port1.close();
      if (!thread.folders.delete(onFailure) || thread.folders.size > 0) return;
      threads.delete(thread);
      await thread.worker.terminate();
    },
  };
}

function startThread(): Thread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMbMax, maxYoungGenerationSizeMb: threadYoungMbMax },
  });
  const thread: Thread = { worker, folders: new Set() };
  const fail = (error: Error) => {
    threads.delete(thread);
    const told = [...thread.folders];
    thread.folders.clear();
    for (const onFailure of told) onFailure(error);
  };
  // Only a folder that waits for an answer keeps the process alive.
  worker.unref();
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => fail(new Error(`the folder's thread ended with code ${code}`)));
  threads.add(thread);
  return thread;
}

function leastUsed(): Thread {
  return [...threads].reduce((least, thread) => (thread.folders.size < least.folders.size ? thread : least));
}
