// V8's switches for whatever process runs the agent: `mooring`, the desktop app's utility process, the tests. Only a start can
// give them. Plain data: the shell and the test runner read it too, and so it must import nothing.

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
export const guardFlags: readonly string[] =
  process.platform === 'linux' && process.arch === 'x64' ? ['--no-memory-protection-keys'] : [];

/** What a process of the agent starts with. */
export const agentFlags: readonly string[] = [nurseryFlag, collectFlag, ...guardFlags];
