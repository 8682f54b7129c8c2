// Replaces a process that opens the store by one with the agent's engine flags and memory settings, which apply only at a start.
// Process id, streams and arguments stay the same. Windows cannot replace a program in place, so the process continues there.
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { agentEnvironment, agentFlags } from '../platform/process/engine-flags.ts';
import { programFile } from '../platform/program-files.ts';

/** The commands that open the store. The others call a running agent. */
const storeCommands: readonly string[] = ['serve', 'start', 'doctor', 'backup', 'openapi'];

const mallocSettings = {
  // glibc has one arena per thread and retains freed memory in each.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '65536',
} as const;
/**
 * Without the cache each thread retains the type stripper: 38 MB more after a first mirror of 10,000 files. The folder is next to the
 * packages, because its content is executed: only users who may change the program may write there.
 */
const compileCacheFolder = path.join(
  programFile('node_modules') ?? import.meta.dirname,
  '.cache/mooring-compile',
);

/**
 * Replaces the process once if the command opens the store. Other commands only use the compile cache, which saves two thirds of their
 * processor time.
 */
export function respawnWithFlags(command: string | undefined): void {
  const opensStore = command !== undefined && storeCommands.includes(command);
  const hasFlags = agentFlags.every((flag) => process.execArgv.includes(flag));
  if (opensStore && !hasFlags && process.execve !== undefined && process.platform !== 'win32') {
    process.execve(
      process.execPath,
      [process.execPath, ...process.execArgv, ...agentFlags, ...process.argv.slice(1)],
      { NODE_COMPILE_CACHE: compileCacheFolder, ...mallocSettings, ...agentEnvironment, ...process.env },
    );
  }
  // Does not throw when the folder is not writable: https://nodejs.org/api/module.html#moduleenablecompilecacheoptions
  enableCompileCache(compileCacheFolder);
}
