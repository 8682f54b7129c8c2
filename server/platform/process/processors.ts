import { availableParallelism } from 'node:os';

/** That this process may use. */
export const processors = availableParallelism();
