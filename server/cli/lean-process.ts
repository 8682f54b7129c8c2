// A process that is the agent, for days or for a moment, is started as one: with the switches and the memory settings that only
// a start can give. Same process id, same streams, same arguments; nothing is done where the system cannot exchange a program in
// place (Windows).
import path from 'node:path';
import { agentFlags } from '../platform/engine-flags.ts';

/** The commands that open the store themselves; the others ask a running agent. */
const commands: readonly string[] = ['serve', 'start', 'doctor', 'backup', 'openapi'];

const mallocSettings = {
  // glibc gives each thread an arena of its own and keeps what was freed in them.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '65536',
} as const;
/** Without it each thread keeps the stripper of types: 38 MB more after a first mirror of 10,000 files. Beside the packages,
 * where only those may write who may change the program: what lies there is run. */
const compileCacheFolder = path.resolve(import.meta.dirname, '../../node_modules/.cache/mooring-compile');

/** Exchanges this process for a leaner one, once. Returns where the command needs none, it is done already or cannot be done. */
export function becomeLean(command: string | undefined): void {
  if (command === undefined || !commands.includes(command)) return;
  if (process.execve === undefined || process.platform === 'win32') return;
  if (agentFlags.every((flag) => process.execArgv.includes(flag))) return;
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...agentFlags, ...process.argv.slice(1)],
    { NODE_COMPILE_CACHE: compileCacheFolder, ...mallocSettings, ...process.env },
  );
}
