// A stand-in for the store's writer that ends at the first command, as a thread does that runs out of memory.
import { parentPort } from 'node:worker_threads';

parentPort?.once('message', () => process.exit(1));
parentPort?.postMessage({ kind: 'ready' });
