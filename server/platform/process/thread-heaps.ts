// Lets the heap of each thread have the size that its `resourceLimits` say.
import { setFlagsFromString } from 'node:v8';

/**
 * To be called before the first thread is started. V8's flag for the main thread (engine-flags.ts) otherwise applies to every thread, whatever
 * its limits say: three threads had 17 MB each for short-lived objects. A heap reads the flag once, when it is made.
 */
export function limitThreadHeaps(): void {
  setFlagsFromString('--max-semi-space-size=0');
}
