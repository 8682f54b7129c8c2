// Releases memory while a thread is idle. V8 collects only during allocation: after a first sync of 10,000 files 229 MB stayed
// resident, 28 MB less after a collection in the main thread, and another 25 MB less after one in the store's and the disk worker's
// threads. Each thread has its own heap and runs this. It never collects during work or after little growth.
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../clock.ts';

export interface ThreadMemory {
  /** Memory of the heap, used or not. */
  heapBytes(): number;
  /** Busy share of the time since the last call, 0 to 1. */
  busyShare(): number;
  /** Runs a full collection (20 to 100 ms). */
  collect(): void;
}

/** Each check wakes a thread, also at rest, and an agent has a dozen threads. */
const checkIntervalMs = 5_000;
/** Consecutive idle checks before a collection. It also discards compiled code, which work after a short pause would compile again:
 * writes every three seconds lost a third of their speed. */
const idleChecksMin = 2;
const busyShareMax = 0.02;
/** Minimum growth since the last collection. */
const growthBytesMin = 8 * 1024 * 1024;

/** null when the process was started without `--expose-gc`. */
export function threadMemory(): ThreadMemory | null {
  const { gc } = globalThis;
  if (gc === undefined) return null;
  let last = performance.eventLoopUtilization();
  return {
    heapBytes: () => getHeapStatistics().total_heap_size,
    busyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    // The plain form keeps the young generation at its largest size.
    collect: () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}

/** Checks every five seconds until the signal aborts. The first idle time always collects: a start leaves mostly garbage. */
export async function releaseIdleMemory(
  memory: ThreadMemory,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let retainedBytes = 0;
  let idleChecks = 0;
  for (;;) {
    await clock.delay(checkIntervalMs, signal);
    if (signal.aborted) return;
    idleChecks = memory.busyShare() <= busyShareMax ? idleChecks + 1 : 0;
    retainedBytes = Math.min(retainedBytes, memory.heapBytes());
    if (idleChecks < idleChecksMin || memory.heapBytes() - retainedBytes < growthBytesMin) continue;
    memory.collect();
    retainedBytes = memory.heapBytes();
  }
}
