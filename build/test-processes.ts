// The programs that tests start as processes of their own, and the threads of the server, as bundles: read in half to two thirds of the
// processor time of their sources.
import path from 'node:path';
import { buildName, buildOnce, dist } from './hashed-build.mjs';

/** Files of test/support. */
export const processNames = [
  'agent-at-kill-points',
  'command-host-process',
  'fork-process',
  'ingest-at-kill-point',
  'line-protocol-mirror',
  'lock-contender',
  'mirror-until-killed',
  'root-contender',
  'store-process',
  'utility-process',
] as const;

export type ProcessName = (typeof processNames)[number];

const kind = {
  title: 'the processes of the tests',
  prefix: 'test-processes-',
  config: 'build/vite.test-processes.ts',
  sources: [
    'server',
    'sdk',
    'test/support',
    'build/test-processes.ts',
    'build/ascii-chunks.ts',
    'build/worker-files.ts',
    'package-lock.json',
  ],
};

/** The folder of the bundles, built unless it is there: `NAME.mjs` for each process and each thread. */
export function testProcesses(): string {
  const failure = buildOnce(process.execPath, kind, (text) => process.stderr.write(`${text}\n`));
  if (failure !== null)
    throw new Error(`The processes of the tests could not be built (${failure}); the messages are above.`);
  return path.join(dist, buildName(kind));
}
