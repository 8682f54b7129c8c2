// A process that is the agent, for days or for a moment, is started as one: with the switches and the memory settings that only
// a start can give. Same process id, same streams, same arguments; nothing is done where the system cannot exchange a program in
// place (Windows).
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { agentFlags } from '../platform/process/engine-flags.ts';

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

/**
 * Exchanges the process of an agent for a leaner one, once. Any other only keeps what it compiles for the next: two thirds of the
 * processor time of a command that asks a running agent.
 */
export function becomeLean(command: string | undefined): void {
  const isAgent = command !== undefined && commands.includes(command);
  const isLean = agentFlags.every((flag) => process.execArgv.includes(flag));
  if (isAgent && !isLean && process.execve !== undefined && process.platform !== 'win32') {
    process.execve(
      process.execPath,
      [process.execPath, ...process.execArgv, ...agentFlags, ...process.argv.slice(1)],
      { NODE_COMPILE_CACHE: compileCacheFolder, ...mallocSettings, ...process.env },
    );
  }
  // https://nodejs.org/api/module.html#moduleenablecompilecacheoptions: throws nothing where it must not write, it goes without.
  enableCompileCache(compileCacheFolder);
}
