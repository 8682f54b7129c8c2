// V8 flags and environment of every process that runs the agent: `mooring`, the desktop app's utility process, the tests. They can only be set
// at the start. Plain data without imports, because the shell and the test runner read it too.

/**
 * Half of Node's young generation. With less, a page of 1,000 entries survives the collections during its creation and takes twice
 * the time; with more, a first sync leaves more memory resident. The threads of the store and the disk workers have smaller ones.
 */
const nurseryFlag = '--max-semi-space-size=8';
/**
 * V8 lets a small heap grow to four times what survived the last collection. A first mirror of 48,000 files had a peak of 712 MB with
 * that and 458 MB with this, for the same processor time.
 */
const growthFlag = '--heap-growing-percent=40';
/** For platform/process/idle-memory. */
const collectFlag = '--expose-gc';

/**
 * V8's protection of compiled code with memory protection keys occasionally ends a process with several threads ("Check failed:
 * jit_page.has_value()", seen in the store's thread). Only where the protection exists: elsewhere the flag is unknown.
 */
export const guardFlags: readonly string[] =
  process.platform === 'linux' && process.arch === 'x64' ? ['--no-memory-protection-keys'] : [];

/** What a process of the agent starts with. */
export const agentFlags: readonly string[] = [nurseryFlag, growthFlag, collectFlag, ...guardFlags];

/**
 * Threads that wait for the disk. Files that are synced side by side share the commits of the disk's journal: with Node's four, the 10,000 files
 * of a run's folder took 5.5 s on a disk whose syncs are slow, with these 4.2 s, and a third where other programs sync too.
 */
export const agentEnvironment = { UV_THREADPOOL_SIZE: '16' } as const;
