// A process that stays for days is started as one: with the memory settings that only a start can give. Same process id, same
// streams, same arguments; nothing is done where the system cannot exchange a program in place (Windows).
import path from 'node:path';

/**
 * Half of Node's nursery. With less a page of 1,000 entries outlives the collections that happen while it is made, and costs
 * twice the time; with more a first mirror leaves more behind. The threads of the store and of the folders have smaller ones.
 */
const nurseryFlag = '--max-semi-space-size=8';
/** For platform/memory-at-rest. */
const collectFlag = '--expose-gc';
/**
 * V8's guard of compiled code by the processor's memory keys ends a process with several threads now and then ("Check failed:
 * jit_page.has_value()", seen in the store's thread). Only where the guard exists: elsewhere the flag is unknown.
 */
const guardFlags =
  process.platform === 'linux' && process.arch === 'x64' ? ['--no-memory-protection-keys'] : [];
const mallocSettings = {
  // glibc gives each thread an arena of its own and keeps what was freed in them.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '65536',
} as const;
/** Without it each thread keeps the stripper of types: 38 MB more after a first mirror of 10,000 files. Beside the packages,
 * where only those may write who may change the program: what lies there is run. */
const compileCacheFolder = path.resolve(import.meta.dirname, '../../node_modules/.cache/mooring-compile');

/** Exchanges this process for a leaner one, once. Returns where that is done already or cannot be done. */
export function becomeLean(): void {
  if (process.execve === undefined || process.platform === 'win32') return;
  if (process.execArgv.includes(nurseryFlag)) return;
  process.execve(
    process.execPath,
    [
      process.execPath,
      ...process.execArgv,
      nurseryFlag,
      collectFlag,
      ...guardFlags,
      ...process.argv.slice(1),
    ],
    { NODE_COMPILE_CACHE: compileCacheFolder, ...mallocSettings, ...process.env },
  );
}
