// The SDK's suite. Node (suite.test.ts) and a page in Chromium (test/ui/sdk.spec.ts) run the same cases against an agent. It must not
// import modules that only one of them has.
import type { Bench, Case } from './bench.ts';
import { callCases } from './calls.ts';
import { editCases } from './edits.ts';
import { feedCases } from './feed.ts';
import { fileCases } from './files.ts';

export const cases: readonly Case[] = [...fileCases, ...editCases, ...callCases, ...feedCases];

/** Runs one case by name. */
export async function runCase(name: string, bench: Bench): Promise<void> {
  const named = cases.find((each) => each.name === name);
  if (named === undefined) throw new Error(`no case with the name "${name}"`);
  await named.run(bench);
}
