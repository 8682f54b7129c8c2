// The SDK's suite: what holds wherever the SDK runs. Written against an agent and nothing else, so that Node (suite.test.ts) and a
// page in Chromium (test/ui/sdk.spec.ts) run the very same cases. It must never import what only one of them has.
import type { Bench, Case } from './bench.ts';
import { callCases } from './calls.ts';
import { editCases } from './edits.ts';
import { feedCases } from './feed.ts';
import { fileCases } from './files.ts';

export const cases: readonly Case[] = [...fileCases, ...editCases, ...callCases, ...feedCases];

/** Runs one case by its name: what a page is asked to do. */
export async function runCase(name: string, bench: Bench): Promise<void> {
  const found = cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no case "${name}"`);
  await found.run(bench);
}
