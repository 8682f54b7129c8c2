// The processor time of a test file, its loading included: that of its process with all threads, and that of the children that have ended.
import { endedChildrenMs } from '../../build/processor-seconds.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds of processors. NaN where the system does not say them. */
    processorMs?: number;
  }
}

/** Of this process, which runs one file after the other. */
const counter = globalThis as { mooringProcessorMs?: number };

/** In milliseconds, and counts from zero again. */
export function processorMsSinceLastFile(): number {
  const { user, system } = process.cpuUsage();
  const now = (user + system) / 1000 + endedChildrenMs();
  const since = now - (counter.mooringProcessorMs ?? 0);
  counter.mooringProcessorMs = now;
  return since;
}
